"""Search for leaks: two worlds that one side cannot distinguish must look the same to it, byte for byte."""
