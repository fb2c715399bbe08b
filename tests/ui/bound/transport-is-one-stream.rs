use mcp_runtime::Server;

async fn serve(stream: tokio::io::DuplexStream) {
    let _ = Server::new("t", "1.0.0").serve(stream).await;
}

fn main() {
    drop(serve);
}
