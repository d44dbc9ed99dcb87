# SPDX-License-Identifier: Apache-2.0
from datetime import datetime, timedelta, timezone
from uuid import UUID

BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

def instant(millis):
    time = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=millis)
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{millis % 1000:03d}Z"

# number: signed or unsigned; the layout's bits and the epoch are those of the sequencer
def decode(number, node_bits, counter_bits, epoch_millis):
    number &= (1 << 64) - 1
    return (instant(epoch_millis + (number >> node_bits + counter_bits)),
            number >> counter_bits & (1 << node_bits) - 1,
            number & (1 << counter_bits) - 1)

def parse(text, digits):
    number = 0
    for character in text:
        number = number * len(digits) + digits.index(character)
    return number

def decode_uuid(text):
    number = UUID(text).int
    return instant(number >> 80), number >> 32 & 0xFFFF, number & 0xFFFFFFFF
