"""R2 Weather."""

import datetime

from campaign.engine.facts import Ledger
from campaign.engine.values.ids import PUBLIC
from campaign.rulesets.forum_campaign.model.facts.air import Forecast
from campaign.rulesets.forum_campaign.model.facts.day import WeatherSet
from campaign.rulesets.forum_campaign.model.game_data import GameData
from campaign.rulesets.forum_campaign.model.state import State, WeatherToday

_DAY = datetime.timedelta(days=1)


def roll_weather(ledger: Ledger[GameData, State]) -> None:
    """R2.2 One roll a turn, looked up under its day (R2.3); with a forecast it is rolled a day ahead."""
    open_ = ledger.state.open
    ledger.emit(WeatherSet(open_.forecast or _roll_for(ledger, open_.date)), rule="R2.3")
    tomorrow = open_.date + _DAY
    if open_.options.forecast and tomorrow <= ledger.game_data.last_day:
        ledger.emit(Forecast(_roll_for(ledger, tomorrow)), rule="R2.2")


def _roll_for(ledger: Ledger[GameData, State], date: datetime.date) -> WeatherToday:
    (die,) = ledger.roll(
        f"weather/{date}",
        sides=ledger.game_data.charts.weather_die,
        audience=PUBLIC,
        purpose=f"weather of {date:%-d %B}",
        rule="R2.2",
    )
    return look_up(ledger.game_data, date, die)


def look_up(game_data: GameData, date: datetime.date, die: int) -> WeatherToday:
    """R2.3 The line of the day's table for a die."""
    (band,) = (band for band in game_data.charts.weather[date] if band.low <= die <= band.high)
    return WeatherToday(band.weather, band.allied, band.german)
