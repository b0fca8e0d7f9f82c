"""`symlayout gpu`: the cross-check on a machine. Its commands live beside the kernels, in the package
`symlayout.gpu`, which in a plain checkout is the folder `gpu/`."""

from __future__ import annotations

from importlib import import_module

import click

from ..errors import MissingPackage


def load() -> click.Group:
    """The group of commands, of the installed package or of the checkout around it."""
    for package in ("symlayout.gpu", "gpu"):
        try:
            group: click.Group = import_module(f"{package}.cli").gpu
        except ModuleNotFoundError as error:
            if error.name is None or not f"{package}.cli".startswith(error.name):
                raise
            continue
        return group
    raise MissingPackage("the package symlayout.gpu is not installed, and there is no folder gpu/ here")


command = load()
