"""The pages for people below `/memory`: what they show, what they change, and who may."""

__all__: list[str] = []
