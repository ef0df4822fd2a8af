"""What a writer does with a batch, and how a pass can end."""

__all__: list[str] = []
