"""The draw: who sits where. Pure, without Django."""
