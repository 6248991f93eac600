"""What can go wrong. Each exception's text is one line: what, where, and what to do."""


class JungletbError(Exception):
    """The base of all exceptions of this package."""


class PositionError(JungletbError, ValueError):
    """A text or an array that is no position of the game."""


class MaterialError(JungletbError, ValueError):
    """A text that is no material such as ``ERvL``."""


class RulesError(JungletbError, ValueError):
    """Rules that are unknown, or a rule file that is bad."""


class ClosedError(JungletbError, ValueError):
    """A tablebase that was closed."""


class MissingTableError(JungletbError, KeyError):
    """A table that was not made. The text tells the command that makes it."""

    def __str__(self) -> str:
        # A KeyError would put quotes around it.
        return Exception.__str__(self)


class TableError(JungletbError):
    """A table that is damaged, unreadable or of another game."""


class TableIOError(TableError, OSError):
    """A table that could not be read because input failed."""
