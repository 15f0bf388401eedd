"""The rules of Saboteur tournaments: pure functions over frozen values."""
