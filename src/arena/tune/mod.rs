//! Better values for settings, found by playing games.
//!
//! A [`Tuning`] is a number of independent [`Chain`]s, each a stochastic approximation ([`Spsa`]). A [`TunePlan`] plays
//! their batches of games, a [`TuneStore`] keeps the results in a file, and [`Estimate`]s say what they mean. Whether the
//! tuned values are really better is then told by a match, which a [`TunePlan`] prepares too.

mod chain;
mod config;
mod estimate;
mod parameter;
mod parameter_spec;
mod run;
mod sensitivity;
mod slope;
mod spsa;
mod state;
mod tuning;

pub use chain::{Batch, Chain, Course, Design, Step, net_wins};
pub use config::TuneConfig;
pub use estimate::{Estimate, Finding, NumberFinding, Progress};
pub use parameter::{Domain, NumberDomain, Parameter, Scale, TunedSection, rounded, text};
pub use parameter_spec::{ParameterError, ParameterSpec, resolve};
pub use run::{TuneError, TunePlan, with_values};
pub use sensitivity::{Probe, probes};
pub use spsa::{Axis, Flip, Gains, Spsa, Trial};
pub use state::{
    BatchLine, TuneContents, TuneFileError, TuneHeader, TuneIdentity, TuneStore, merge_tunings,
    read_tuning,
};
pub use tuning::Tuning;
