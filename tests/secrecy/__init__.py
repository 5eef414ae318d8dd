"""Search for leaks: two worlds that one side cannot tell apart must look the same to it, byte for byte."""
