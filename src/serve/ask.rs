//! The target of a request: rules and material in its path, a position in its query.

use super::error::ApiError;
use super::service::{RuleSet, Service};
use crate::game::Piece;
use crate::material::Material;
use crate::play::record::Encoding;
use crate::text::excerpt;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use std::sync::Arc;

/// A request for one rule set.
pub struct Ask {
    /// The rules in its path, with their tables.
    pub set: Arc<RuleSet>,
    /// The rest of the path, if any.
    pub rest: Option<String>,
    /// The raw query.
    query: Option<String>,
    /// `If-None-Match`.
    pub known: Option<HeaderValue>,
}

impl FromRequestParts<Arc<Service>> for Ask {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, service: &Arc<Service>) -> Result<Self, ApiError> {
        let params = RawPathParams::from_request_parts(parts, service).await.map_err(|error| match error {
            RawPathParamsRejection::InvalidUtf8InPathParam(_) => ApiError::Path,
            _ => ApiError::Internal,
        })?;
        let mut names = params.iter().map(|(_, value)| value);
        let rules = names.next().unwrap_or_default();
        Ok(Self {
            set: service.rule_set(rules)?,
            rest: names.next().map(str::to_owned),
            query: parts.uri.query().map(str::to_owned),
            known: parts.headers.get(header::IF_NONE_MATCH).cloned(),
        })
    }
}

impl Ask {
    /// The text of the position in the query, as `position` or `fen`. Other parameters, such as those that trackers add
    /// to links, are ignored.
    ///
    /// # Errors
    /// Returns an error if there is no position, or more than one.
    pub fn position(&self) -> Result<String, ApiError> {
        let mut positions = self.query().filter(|(key, _)| matches!(&**key, "position" | "fen"));
        let (_, position) =
            positions.next().ok_or_else(|| ApiError::Query("no position; give position=…".to_owned()))?;
        match positions.next() {
            None => Ok(position.into_owned()),
            Some(_) => Err(ApiError::Query("more than one position; send several with POST".to_owned())),
        }
    }

    /// The encoding named in the query, if any.
    ///
    /// # Errors
    /// Returns an error if the encoding is unknown.
    pub fn encoding(&self) -> Result<Option<Encoding>, ApiError> {
        let Some((_, label)) = self.query().find(|(key, _)| key == "encoding") else { return Ok(None) };
        let wrong =
            || ApiError::Query(format!("unknown encoding {:?}; give one such as gbk or utf-16", excerpt(&label)));
        Encoding::named(&label).map(Some).ok_or_else(wrong)
    }

    fn query(&self) -> form_urlencoded::Parse<'_> {
        form_urlencoded::parse(self.query.as_deref().unwrap_or_default().as_bytes())
    }

    /// The material in the path.
    ///
    /// # Errors
    /// Returns an error if the text is not a material.
    pub fn material(&self) -> Result<Material, ApiError> {
        Ok(Material::parse(self.set.tables.rules(), self.rest.as_deref().unwrap_or_default())?)
    }

    /// The material of a plot, `ERvL.svg` in the path, and the piece given in the query.
    ///
    /// # Errors
    /// Returns an error for another path, an invalid material, more than one piece, or a piece not in the material.
    pub fn picture(&self) -> Result<(Material, Option<Piece>), ApiError> {
        let name = self.rest.as_deref().and_then(|rest| rest.strip_suffix(".svg")).ok_or(ApiError::NoRoute)?;
        let material = Material::parse(self.set.tables.rules(), name)?;
        let mut piece = None;
        for (_, value) in self.query().filter(|(key, _)| key == "piece") {
            let mut letters = value.chars();
            let named = letters.next().and_then(Piece::from_letter).filter(|_| letters.next().is_none());
            let named = named.filter(|&named| piece.is_none() && material.has(named));
            let pieces = || material.pieces().map(|piece| piece.letter().to_string()).collect::<Vec<_>>().join(", ");
            let wrong = || ApiError::Query(format!("give piece=… with one of {}, or nothing", pieces()));
            piece = Some(named.ok_or_else(wrong)?);
        }
        Ok((material, piece))
    }
}
