//! The hot steps of a random game with the instructions of x86-64.
//!
//! With AVX-512 one register holds all lines of the board. With AVX2 the portable code is compiled anew for it.
//! All `unsafe` code of the crate is in this module.
#![allow(unsafe_code)]

mod avx512;
mod registers;

use arrayvec::ArrayVec;

use super::evaluation::Evaluation;
use super::game::{Conduct, Ending, Game, play_out};
use super::policy::Policy;
use super::portable::Portable;
use super::priors::{Prior, priors};
use crate::game::{Action, MAX_ACTIONS, Position};

/// Exists only where the processor has AVX-512 with all parts used here.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

/// Exists only where the processor has AVX2 and what came with it.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx512 {
    /// The kernel, if this processor has the instructions.
    pub fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }

    /// [`play_out`] with this kernel.
    pub fn play_out<P: Policy>(
        self,
        conduct: Conduct<'_, P>,
        games: &[Game],
        endings: &mut [Ending],
    ) {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512vpopcntdq,avx512bitalg,avx512vbmi2,gfni,bmi1,bmi2,lzcnt,popcnt"
        )]
        fn inner<P: Policy>(
            kernel: Avx512,
            conduct: Conduct<'_, P>,
            games: &[Game],
            endings: &mut [Ending],
        ) {
            play_out(kernel, conduct, games, endings);
        }
        // SAFETY: `detect` made sure that the processor has these instructions.
        unsafe { inner(self, conduct, games, endings) }
    }

    /// [`priors`] with this kernel.
    pub fn priors(
        self,
        evaluation: &Evaluation,
        position: &Position,
        actions: &[Action],
        temperature: f32,
    ) -> ArrayVec<Prior, MAX_ACTIONS> {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512vpopcntdq,avx512bitalg,avx512vbmi2,gfni,bmi1,bmi2,lzcnt,popcnt"
        )]
        fn inner(
            kernel: Avx512,
            evaluation: &Evaluation,
            position: &Position,
            actions: &[Action],
            temperature: f32,
        ) -> ArrayVec<Prior, MAX_ACTIONS> {
            priors(kernel, evaluation, position, actions, temperature)
        }
        // SAFETY: `detect` made sure that the processor has these instructions.
        unsafe { inner(self, evaluation, position, actions, temperature) }
    }
}

impl Avx2 {
    /// The kernel, if this processor has the instructions.
    pub fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }

    /// [`play_out`] compiled for this processor.
    pub fn play_out<P: Policy>(
        self,
        conduct: Conduct<'_, P>,
        games: &[Game],
        endings: &mut [Ending],
    ) {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inner<P: Policy>(conduct: Conduct<'_, P>, games: &[Game], endings: &mut [Ending]) {
            play_out(Portable, conduct, games, endings);
        }
        // SAFETY: `detect` made sure that the processor has these instructions.
        unsafe { inner(conduct, games, endings) }
    }

    /// [`priors`] compiled for this processor.
    pub fn priors(
        self,
        evaluation: &Evaluation,
        position: &Position,
        actions: &[Action],
        temperature: f32,
    ) -> ArrayVec<Prior, MAX_ACTIONS> {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inner(
            kernel: Portable,
            evaluation: &Evaluation,
            position: &Position,
            actions: &[Action],
            temperature: f32,
        ) -> ArrayVec<Prior, MAX_ACTIONS> {
            priors(kernel, evaluation, position, actions, temperature)
        }
        // SAFETY: `detect` made sure that the processor has these instructions.
        unsafe { inner(Portable, evaluation, position, actions, temperature) }
    }
}
