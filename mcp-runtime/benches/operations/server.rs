//! The server that is measured.

#![expect(clippy::unused_async, reason = "a call of an `async` tool is polled where it comes in")]

use std::convert::Infallible;

use mcp_runtime::{Server, Tool, tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Serialize, JsonSchema)]
pub(crate) struct OrderStatus {
    status: &'static str,
    carrier: Option<&'static str>,
    eta: Option<&'static str>,
    items: u32,
}

pub(crate) const SHIPPED: OrderStatus =
    OrderStatus { status: "shipped", carrier: Some("northline"), eta: Some("2026-12-01"), items: 3 };

pub(crate) const ORDERS: &[OrderStatus] = &[SHIPPED; 100];

/// Look up the status of an order.
#[tool]
async fn order_status(
    /// Order number, such as A-1001.
    order_id: &str,
) -> Result<&'static OrderStatus, String> {
    match order_id {
        "A-1001" => Ok(&SHIPPED),
        _ => Err(format!("unknown order: {order_id}")),
    }
}

/// List the newest orders.
#[tool]
async fn orders() -> &'static [OrderStatus] {
    ORDERS
}

/// Return the text unchanged.
#[tool]
async fn echo(text: String) -> String {
    text
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Place {
    Inside,
    Outside,
}

#[derive(Deserialize, JsonSchema)]
struct Address {
    street: String,
    number: u16,
    city: Option<String>,
}

/// Book a table.
#[tool]
#[expect(clippy::too_many_arguments, reason = "they are what is measured")]
async fn book(
    /// Who comes.
    #[arg(len = 1..=80)]
    name: &str,
    #[arg(range = 1..=12)] guests: u8,
    /// Year, month and day.
    #[arg(len = 10..=10)]
    day: String,
    hour: f64,
    place: Place,
    wishes: Vec<String>,
    #[arg(default = false)] is_member: bool,
    address: Option<Address>,
) -> String {
    let place = match place {
        Place::Inside => "inside",
        Place::Outside => "outside",
    };
    let street = address.map(|Address { street, number, city }| format!("{street} {number}, {city:?}"));
    format!("{name} {guests} {day} {hour} {place} {wishes:?} {is_member} {street:?}")
}

/// A server with a few tools.
pub(crate) fn server() -> Server {
    Server::new("benches", "1.0.0").tools(tools![order_status, orders, echo, book])
}

#[derive(Deserialize, JsonSchema)]
struct Order {
    /// Order number, such as A-1001.
    #[expect(dead_code, reason = "it is there for the schema")]
    order_id: String,
}

/// The same with so many more.
pub(crate) fn many(count: usize) -> Server {
    server().tools((0..count).map(|number| {
        Tool::builder(format!("extra_{number}"))
            .description("One of many tools.")
            .handler(|_: Order, _| async { Ok::<_, Infallible>("ok") })
    }))
}
