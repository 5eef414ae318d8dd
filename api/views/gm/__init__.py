"""The operations of game masters. Each does what a button of their desk does, and everybody else finds nothing."""
