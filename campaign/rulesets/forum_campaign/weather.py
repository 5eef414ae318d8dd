"""R2 Weather."""

import datetime

from campaign.engine.facts import Ledger
from campaign.engine.ids import PUBLIC
from campaign.rulesets.forum_campaign.facts import WeatherSet
from campaign.rulesets.forum_campaign.state import State, WeatherToday
from campaign.rulesets.forum_campaign.theatre import Theatre


def roll_weather(ledger: Ledger[Theatre, State]) -> None:
    """R2.2 One roll a turn, looked up under the day it governs (R2.3)."""
    date = ledger.state.open.date
    (die,) = ledger.roll(
        f"weather/{date}",
        sides=ledger.theatre.charts.weather_die,
        audience=PUBLIC,
        purpose=f"weather of {date:%-d %B}",
        rule="R2.2",
    )
    ledger.emit(WeatherSet(look_up(ledger.theatre, date, die)), rule="R2.3")


def look_up(theatre: Theatre, date: datetime.date, die: int) -> WeatherToday:
    """R2.3 The line of the day's table that a die falls in."""
    (band,) = (band for band in theatre.charts.weather[date] if band.low <= die <= band.high)
    return WeatherToday(band.weather, band.allied, band.german)
