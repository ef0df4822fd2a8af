"""The formats that conversations come in, a module each; every one gives an `Importer`."""

__all__: list[str] = []
