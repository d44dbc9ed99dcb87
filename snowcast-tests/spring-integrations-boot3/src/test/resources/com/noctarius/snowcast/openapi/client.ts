// A client of the application in Orders.java, whose types openapi-typescript generated.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { argv: string[] };

type Order = components["schemas"]["Order"];

const client = createClient<paths>({ baseUrl: process.argv[2] });

function required<T>(value: T | undefined, what: unknown): T {
    if (value === undefined) {
        throw new Error(JSON.stringify(what));
    }
    return value;
}

const found = await client.GET("/orders/{id}", { params: { path: { id: process.argv[3] } } });
const order: Order = required(found.data, found.error);
const id: string = required(order.id, "id");
const items: string[] = required(order.items, "items");
const customer: string = required(order.customer, "customer");
console.log(id, ...items, customer);

const others = await client.GET("/customers/{id}/orders", { params: { path: { id: customer }, query: { after: id } } });
const other = required(others.data, others.error)[0];
if (other.id !== id || other.customer !== customer) {
    throw new Error(JSON.stringify(other));
}

const sent = await client.POST("/orders", { body: order, parseAs: "text" });
console.log(required(sent.data, sent.error));
