"""What watches: a topic, the alarms that ring there, two dashboards. It holds nothing and may go at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnDynamicReference, CfnDynamicReferenceService, Duration, aws_cloudwatch, aws_cloudwatch_actions

from infra.components.alarm_topic import AlarmTopic
from infra.stacks.base import EnvironmentStack
from infra.watch.alarms import AlarmSpec, alarms
from infra.watch.dashboards import Graph, what_machines_do, what_users_feel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from constructs import Construct

    from infra.environments import Environment
    from infra.names import Names

_GRAPH_WIDTH, _GRAPHS_A_ROW = 8, 3
_GRAPH_PERIOD = Duration.minutes(5)


class WatchStack(EnvironmentStack):
    """Knows everything else by its name; the API, which has none, by a parameter."""

    def __init__(self, scope: Construct, construct_id: str, *, environment: Environment, names: Names) -> None:
        super().__init__(scope, construct_id, environment=environment, description="alarms and dashboards")
        api_id = CfnDynamicReference(CfnDynamicReferenceService.SSM, names.api_id_parameter).to_string()
        topic = AlarmTopic(self, "Alarms", names=names, address=environment.alarms.address).topic
        action = aws_cloudwatch_actions.SnsAction(topic)
        for spec in alarms(environment, names, api_id):
            alarm = self._alarm(spec, names)
            alarm.add_alarm_action(action)
            alarm.add_ok_action(action)
        self._dashboard("Users", names, "what-users-feel", what_users_feel(environment))
        self._dashboard("Machines", names, "what-machines-do", what_machines_do(environment, names, api_id))

    def _alarm(self, spec: AlarmSpec, names: Names) -> aws_cloudwatch.Alarm:
        at_once = aws_cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD
        beyond = aws_cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD
        return aws_cloudwatch.Alarm(
            self,
            "".join(part.title() for part in spec.name.split("-")),
            alarm_name=names.plain(spec.name),
            alarm_description=spec.description,
            metric=spec.figure.metric(Duration.minutes(spec.minutes), own_namespace=names.metrics_namespace),
            threshold=spec.threshold,
            comparison_operator=at_once if spec.reaches else beyond,
            evaluation_periods=spec.periods,
            datapoints_to_alarm=spec.bad,
            # Nothing counted is nothing wrong, but for what counts at any time.
            treat_missing_data=aws_cloudwatch.TreatMissingData.BREACHING
            if spec.silence_rings
            else aws_cloudwatch.TreatMissingData.NOT_BREACHING,
        )

    def _dashboard(self, construct_id: str, names: Names, what: str, graphs: Iterable[Graph]) -> None:
        widgets: list[aws_cloudwatch.IWidget] = [
            aws_cloudwatch.GraphWidget(
                title=graph.title,
                width=_GRAPH_WIDTH,
                left=[figure.metric(_GRAPH_PERIOD, own_namespace=names.metrics_namespace) for figure in graph.figures],
                left_y_axis=aws_cloudwatch.YAxisProps(label=graph.unit, show_units=False, min=0),
            )
            for graph in graphs
        ]
        rows = [widgets[at : at + _GRAPHS_A_ROW] for at in range(0, len(widgets), _GRAPHS_A_ROW)]
        aws_cloudwatch.Dashboard(self, construct_id, dashboard_name=names.plain(what), widgets=rows)
