"""The Python client: core messaging over TCP or WebSocket with a credentials file. Prints one line of JSON."""

import asyncio
import json
import sys

import nats


async def main(url: str, credentials: str, prefix: str) -> None:
    connection = await nats.connect(url, user_credentials=credentials, name="e2e-python", connect_timeout=30)
    plain = await connection.subscribe(f"{prefix}.plain")
    worked = 0

    async def work(_message):
        nonlocal worked
        worked += 1

    async def echo(message):
        await message.respond(message.data)

    groups = [await connection.subscribe(f"{prefix}.work", queue="workers", cb=work) for _ in range(2)]
    await connection.subscribe(f"{prefix}.echo", cb=echo)

    await connection.publish(f"{prefix}.plain", b"hello")
    received = (await plain.next_msg(timeout=30)).data.decode()
    answer = await connection.request(f"{prefix}.echo", b"are you there", timeout=30)
    for i in range(10):
        await connection.publish(f"{prefix}.work", str(i).encode())
    await connection.flush()
    for group in groups:
        await group.drain()
    deadline = asyncio.get_running_loop().time() + 30
    while worked < 10 and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(0.01)

    print(json.dumps({"received": received, "answered": answer.data.decode(), "worked": worked}))
    await connection.drain()


asyncio.run(main(*sys.argv[1:4]))
