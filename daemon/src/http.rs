//! The HTTP API: the route table. A handler reads its words, asks the store or a conversation, and answers; it
//! decides nothing.

mod agents;
mod audit;
mod auth;
mod body;
mod conversations;
mod create;
mod door;
mod error;
mod events;
mod health;
mod images;
mod policy;
mod prompts;
mod query;
mod requests;
mod sandboxes;
mod stream;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::handler::Handler;
use axum::middleware;
use axum::routing::MethodRouter;
use fountain_core::api::{self, Method, Route};
use tower_http::catch_panic::CatchPanicLayer;

use crate::app::App;

/// Every route, behind the local door.
pub(crate) fn router(app: &App) -> Router {
    let limit = usize::try_from(app.settings().limits.max_body).unwrap_or(usize::MAX);
    let mut routes = Router::new();
    routes = on(routes, api::HEALTH, health::health);
    routes = on(routes, api::READY, health::ready);
    routes = on(routes, api::auth::ME, auth::me);
    routes = on(routes, api::agents::LIST, agents::list);
    routes = on(routes, api::agents::CREATE, agents::create);
    routes = on(routes, api::agents::SHOW, agents::show);
    routes = on(routes, api::agents::UPDATE, agents::update);
    routes = on(routes, api::agents::REPLACE, agents::update);
    routes = on(routes, api::agents::DELETE, agents::delete);
    routes = on(routes, api::conversations::LIST, conversations::list);
    routes = on(routes, api::conversations::CREATE, create::create);
    routes = on(routes, api::conversations::SHOW, conversations::show);
    routes = on(routes, api::conversations::UPDATE, conversations::update);
    routes = on(routes, api::conversations::DELETE, conversations::delete);
    routes = on(routes, api::conversations::PROMPT, prompts::prompt);
    routes = on(routes, api::conversations::INTERRUPT, prompts::interrupt);
    routes = on(
        routes,
        api::conversations::TERMINATE,
        conversations::terminate,
    );
    routes = on(routes, api::conversations::TURNS, conversations::turns);
    routes = on(routes, api::conversations::IMAGE, images::show);
    routes = on(routes, api::events::PAGE, events::page);
    routes = on(routes, api::events::STREAM, stream::stream);
    routes = on(routes, api::requests::LIST, requests::list);
    routes = on(routes, api::requests::SHOW, requests::show);
    routes = on(routes, api::requests::ANSWER, requests::answer);
    routes = on(routes, api::audit::LIST, audit::list);
    routes = on(routes, api::sandboxes::LIST, sandboxes::list);
    routes = on(routes, api::sandboxes::SHOW, sandboxes::show);
    routes = on(routes, api::sandboxes::FILE, sandboxes::file);
    routes = on(routes, api::sandboxes::DIRECTORY, sandboxes::directory);
    routes = on(routes, api::policy::EXPLAIN, policy::explain);
    routes = on(routes, api::policy::REPLAY, policy::replay);
    routes
        .fallback(error::unknown_route)
        .method_not_allowed_fallback(error::wrong_method)
        .with_state(app.clone())
        .layer(DefaultBodyLimit::max(limit))
        .layer(middleware::from_fn_with_state(app.clone(), door::check))
        .layer(CatchPanicLayer::custom(error::panicked))
}

fn on<H, T>(routes: Router<App>, route: Route, handler: H) -> Router<App>
where
    H: Handler<T, App>,
    T: 'static,
{
    let method = match route.method {
        Method::Get => MethodRouter::new().get(handler),
        Method::Post => MethodRouter::new().post(handler),
        Method::Patch => MethodRouter::new().patch(handler),
        Method::Put => MethodRouter::new().put(handler),
        Method::Delete => MethodRouter::new().delete(handler),
    };
    routes.route(route.path, method)
}
