"""Rights on AppConfig's data plane: `appconfig:StartConfigurationSession` and `appconfig:GetLatestConfiguration`.

The emulator lets everybody read every configuration, because requests to the data plane are signed for the control
plane, which knows no such paths. AWS decides both upon one configuration in one environment.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_START = ("POST", "/configurationsessions")
_LATEST = ("GET", "/configuration")
_FIELDS = ("ApplicationIdentifier", "EnvironmentIdentifier", "ConfigurationProfileIdentifier")
_SERVICES = frozenset({"appconfig", "appconfigdata"})


def install(actions: Any, appconfig: Any) -> None:
    """Name action and resource of data plane requests in the module that names those of all others."""
    stock_action, stock_arn = actions.extract_iam_action, actions.extract_resource_arn
    data_plane = _DataPlane(appconfig)

    def action(service: str, method: str, path: str, *rest: Any) -> str | None:
        if service in _SERVICES and (method, path) == _START:
            return "appconfig:StartConfigurationSession"
        if service in _SERVICES and (method, path) == _LATEST:
            # A token that is not good is the service's to refuse: nobody knows what it would be a right upon.
            known = data_plane.session(rest[-1])
            return "appconfig:GetLatestConfiguration" if known else None
        named: str | None = stock_action(service, method, path, *rest)
        return named

    def arn(service: str, method: str, path: str, *rest: Any) -> str:
        _, body, query, region, account = rest
        asked: Mapping[str, str] | None = None
        if service in _SERVICES and (method, path) == _START:
            asked = data_plane.named(body)
        elif service in _SERVICES and (method, path) == _LATEST:
            asked = data_plane.session(query)
        if asked is None:
            stock: str = stock_arn(service, method, path, *rest)
            return stock
        application, environment, profile = (asked[field] for field in _FIELDS)
        place = f"application/{application}/environment/{environment}/configuration/{profile}"
        return f"arn:aws:appconfig:{region}:{account}:{place}"

    actions.extract_iam_action, actions.extract_resource_arn = action, arn


class _DataPlane:
    """What requests of the data plane are about, by ids."""

    def __init__(self, appconfig: Any) -> None:
        self._appconfig = appconfig

    def session(self, query: Mapping[str, Any]) -> Mapping[str, str] | None:
        """The session of a token, None when there is none."""
        given = query.get("configuration_token", "")
        token = given[0] if isinstance(given, list) else given
        session: Mapping[str, str] | None = self._appconfig._sessions.get(token)
        return session

    def named(self, body: bytes) -> Mapping[str, str] | None:
        """Ids of what a first request names by id or name; what does not exist keeps the name."""
        try:
            asked = json.loads(body or b"{}")
            application, environment, profile = (str(asked[field]) for field in _FIELDS)
        except (ValueError, KeyError, TypeError):
            return None
        appconfig = self._appconfig
        application = appconfig._resolve_application_id(application) or application
        return dict(
            zip(
                _FIELDS,
                (
                    application,
                    appconfig._resolve_environment_id(application, environment) or environment,
                    appconfig._resolve_configuration_profile_id(application, profile) or profile,
                ),
                strict=True,
            )
        )
