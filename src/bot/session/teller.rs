//! What the watchers know of a game.

use super::Common;
use super::view::GameView;
use crate::api::GameId;
use crate::bot::event::{Event, PlayedTurn};
use crate::search::SearchReport;

/// Tells everything once, in order.
#[derive(Default)]
pub(super) struct Teller {
    /// How many turns are known; `None` until the game is.
    told: Option<usize>,
    /// What the last search found, and at which ply.
    report: Option<(u16, SearchReport)>,
}

impl Teller {
    /// How many turns have been told; `None` before the game was first read.
    pub(super) fn turns_told(&self) -> Option<usize> {
        self.told
    }

    /// A search has ended with this report.
    pub(super) fn on_report(
        &mut self,
        common: &mut Common,
        game: &GameId,
        ply: u16,
        report: SearchReport,
    ) {
        common.tell(Event::Searched {
            game: game.clone(),
            ply,
            report: report.clone(),
        });
        self.report = Some((ply, report));
    }

    /// Tells what is new in `view`.
    pub(super) fn tell(&mut self, common: &mut Common, view: &GameView) {
        let told = self.told.unwrap_or_else(|| {
            common.tell(Event::GameStarted(view.info.clone()));
            0
        });
        let mut before = view.info.initial;
        for (index, (turn, position)) in view.turns.iter().enumerate() {
            if index >= told {
                let ply = before.ply();
                let report = self
                    .report
                    .take_if(|(at, report)| *at == ply && report.turn == *turn);
                common.tell(Event::TurnPlayed(PlayedTurn {
                    game: view.info.game.clone(),
                    ply,
                    by: before.side(),
                    turn: turn.clone(),
                    position: *position,
                    report: report.map(|(_, report)| report),
                    clocks: view.clocks,
                }));
            }
            before = *position;
        }
        self.told = Some(view.turns.len());
    }
}
