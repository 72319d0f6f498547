"""List prices in US dollars: us-east-1, no free tiers, no discounts.

Written down from memory on 2026-11-30, without AWS's price lists at hand; only those of DynamoDB's units were seen
again, on a page of somebody else's. Check every one before a decision rests on it.
"""

from __future__ import annotations

MILLION, GIB = 1_000_000, 1024**3

API_REQUEST = 1.00 / MILLION  # HTTP API
LAMBDA_REQUEST = 0.20 / MILLION
LAMBDA_GB_SECOND = 0.0000133334  # arm64
S3_WRITE, S3_READ, S3_GB_MONTH = 0.005 / 1000, 0.0004 / 1000, 0.023
WRITE_UNIT, READ_UNIT = 0.625 / MILLION, 0.125 / MILLION  # DynamoDB on demand
TABLE_GB_MONTH = 0.25 + 0.20  # items, and their backup to any second
QUEUE_REQUEST = 0.50 / MILLION  # FIFO
NEWS = 1.00 / MILLION  # EventBridge, a piece
KMS_REQUEST = 0.03 / 10_000
LOG_GB = 0.50 + 0.03  # taken in, and a month kept
FLAGS_REQUEST, FLAGS_RECEIVED = 0.20 / MILLION, 0.0008  # AppConfig: asked, and handed over anew; STS asks nothing
TRACE = 5.00 / MILLION  # X-Ray, recorded
METRIC_MONTH, ALARM_MONTH, DASHBOARD_MONTH, SECRET_MONTH, KEY_MONTH = 0.30, 0.10, 3.00, 0.40, 1.00
EMBEDDING_INPUT = 0.02 / MILLION  # per token, text-embedding-3-small
MODEL_INPUT, MODEL_OUTPUT = 0.40 / MILLION, 1.60 / MILLION  # per token, gpt-4.1-mini
