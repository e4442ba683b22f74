//! The hot steps of a search with the instructions of x86-64.
//!
//! With AVX-512 one register holds all lines of the board. With AVX2 the portable code is compiled anew for it.
//! All `unsafe` code of the crate is in this module.
#![allow(unsafe_code)]

mod avx512;
mod choice;
mod registers;

use super::kernel::Task;
use super::portable::Portable;

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
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
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

    /// Does a task with this kernel.
    pub fn run<T: Task>(self, task: T) -> T::Output {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx512bitalg,avx512vbmi2,gfni,bmi1,bmi2,lzcnt,popcnt"
        )]
        fn inner<T: Task>(kernel: Avx512, task: T) -> T::Output {
            task.run(kernel)
        }
        // SAFETY: `detect` made sure that the processor has these instructions.
        unsafe { inner(self, task) }
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

    /// Does a task with the portable kernel, compiled for this processor.
    pub fn run<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inner<T: Task>(task: T) -> T::Output {
            task.run(Portable)
        }
        // SAFETY: `detect` made sure that the processor has these instructions.
        unsafe { inner(task) }
    }
}
