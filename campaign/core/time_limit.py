"""Work that must not keep the machinery waiting: it is ended when its time is over."""

import ctypes
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

from django.db import connections

from campaign.core.frames import with_room

T = TypeVar("T")


class TookTooLong(Exception):
    """The work had not ended when its time was over."""


class _Ended(BaseException):
    """Raised within work whose time is over; nothing should catch it."""


def within(seconds: float, work: Callable[[], T]) -> T:
    """The result of work, or what it raises; TookTooLong if that takes more seconds than these.

    It runs in a thread of its own, in which nobody is named as the reader: it gets no more than the public does.
    """
    result: Future[T] = Future()
    thread = Thread(target=_run, args=(work, result), daemon=True)
    thread.start()
    thread.join(seconds)
    if not result.done():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_Ended))
        raise TookTooLong(f"{seconds:g} seconds were not enough")
    return result.result()


def _run(work: Callable[[], T], result: Future[T]) -> None:
    try:
        result.set_result(with_room(work))
    except Exception as error:  # the caller gets it
        result.set_exception(error)
    except _Ended:
        pass
    finally:
        connections.close_all()  # those of this thread, which has none unless the work asked for one
