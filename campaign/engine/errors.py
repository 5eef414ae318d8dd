"""Errors of the program and of its data. Mistakes of players are values: see `orders.Problem`."""


class EngineError(Exception):
    """The engine was asked for something impossible: a bug, or a ruling that fits no phase."""


class ScenarioError(Exception):
    """A scenario file is wrong. The message names what, where (file and line) and the cure."""

    def __init__(self, message: str, *, file: str, line: int = 0, cure: str = "") -> None:
        self.message, self.file, self.line, self.cure = message, file, line, cure
        where = f"{file}, line {line}" if line else file
        super().__init__(f"{where}: {message}. {cure}" if cure else f"{where}: {message}")
