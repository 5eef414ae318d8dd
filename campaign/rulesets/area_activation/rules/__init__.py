"""The rules of the board, each as a function of a position: where units go, how they fight, what supplies them."""
