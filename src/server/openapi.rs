//! The API's description, made from the handlers and the wire types.

use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Components, Content, OpenApi as Document, Ref, RefOr, ResponseBuilder};
use utoipa::{Modify, OpenApi, PartialSchema, ToSchema};

use crate::api::{PROBLEM_MEDIA_TYPE, Problem, ProblemCode};

const TOKEN_SCHEME: &str = "token";

/// What does not stem from the handlers.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "YINSH bot API",
        version = "1.0",
        description = "Play YINSH on an account of your own, by polling. \
            Instants are milliseconds since the epoch. Mutable resources have strong ETags."
    ),
    security(("token" = [])),
    modifiers(&Common)
)]
pub struct Frame;

/// Adds the token scheme.
struct Common;

impl Modify for Common {
    fn modify(&self, document: &mut Document) {
        let components = document.components.get_or_insert_with(Components::new);
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        components.add_security_scheme(TOKEN_SCHEME, SecurityScheme::Http(bearer));
    }
}

/// Adds to every operation that it can fail with a problem.
pub fn add_problems(document: &mut Document) {
    let components = document.components.get_or_insert_with(Components::new);
    let schemas = &mut components.schemas;
    schemas.insert(Problem::name().into_owned(), Problem::schema());
    schemas.insert(ProblemCode::name().into_owned(), ProblemCode::schema());
    for item in document.paths.paths.values_mut() {
        let operations = [
            &mut item.get,
            &mut item.put,
            &mut item.post,
            &mut item.delete,
        ];
        operations.into_iter().flatten().for_each(add_problem);
    }
}

fn add_problem(operation: &mut Operation) {
    let schema = RefOr::Ref(Ref::from_schema_name(Problem::name()));
    let response = ResponseBuilder::new()
        .description("What went wrong; `code` tells what to do.")
        .content(PROBLEM_MEDIA_TYPE, Content::new(Some(schema)))
        .build();
    operation
        .responses
        .responses
        .insert("default".to_owned(), RefOr::T(response));
}
