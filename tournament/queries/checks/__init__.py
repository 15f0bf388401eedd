"""Whether what is stored of an event can be so: each module looks at one side of it, and every
check is a function from `Facts` to the differences it sees, in words."""
