"""The door for programs and pages on this computer: HTTP over the services of one home."""

__all__: list[str] = []
