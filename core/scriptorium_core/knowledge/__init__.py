"""What a memory is worth: whether it is sound as a whole."""

__all__: list[str] = []
