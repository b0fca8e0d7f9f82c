"""A second, plain opinion on the laws: nested tuples, enumeration, nothing of symlayout."""
