"""Conversations as graphs: their branches, what of them is still unwritten, and the evidence they give."""

__all__: list[str] = []
