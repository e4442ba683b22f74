//! How the account finds games by itself when it has none: one attempt at a time, and never too often.
//!
//! An attempt looks for a seek to accept, then for somebody to challenge, and opens a seek if there is nobody. A request
//! that fails ends the attempt. One that may have been carried out all the same holds back the next attempt until a list
//! from the server shows what came of it, so nothing is offered twice.

mod choice;
mod ledger;

use std::time::{Duration, Instant};

use self::choice::{eligible_players, eligible_seek, new_challenge, new_seek};
use self::ledger::Ledger;
use super::offers::Offers;
use super::protocol::OfferId;
use super::recent::Recent;
use super::{Answer, Common, Request};
use crate::api::{
    Challenge, ChallengeCreated, ChallengeId, ChallengeStatus, GameId, Player, PlayerId, PlayerRef,
    PlayersPage, SeekCreated, SeeksPage,
};
use crate::bot::backoff::{Backoff, Growth};
use crate::bot::config::Way;
use crate::bot::event::Event;
use crate::bot::transport::TransportError;

/// Pages of players that are looked at in one attempt.
const PAGES_MAX: usize = 5;
/// How waits grow when the server wants fewer attempts.
const PATIENT: Growth = Growth {
    first: Duration::from_secs(60),
    most: Duration::from_secs(3600),
};

pub(super) struct Matchmaker {
    step: Step,
    idle_since: Option<Instant>,
    /// When the next attempt may begin, as far as interval and refusals go.
    next_at: Option<Instant>,
    refusals: Backoff,
    /// When something was offered whose answer is lost.
    unclear_since: Option<Instant>,
    ledger: Ledger,
    /// Declined challenges that have been noted.
    noted: Recent<ChallengeId>,
}

/// Which answer is awaited.
enum Step {
    Rest,
    Seeks,
    AcceptSeek(PlayerRef),
    Players { pages: usize, found: Vec<Player> },
    Challenge(Player),
    Seek,
}

/// What matchmaking has to know of the session.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leisure {
    /// Whether there is no game, and none to come.
    pub is_idle: bool,
    /// When the list was asked for that the session goes by.
    pub list_as_of: Option<Instant>,
}

impl Matchmaker {
    /// Nothing has been tried yet.
    pub(super) fn new() -> Self {
        Self {
            step: Step::Rest,
            idle_since: None,
            next_at: None,
            refusals: Backoff::new(PATIENT),
            unclear_since: None,
            ledger: Ledger::default(),
            noted: Recent::new(),
        }
    }

    /// Whether an answer is awaited that may bring a game.
    pub(super) fn is_asking(&self) -> bool {
        !matches!(self.step, Step::Rest)
    }

    /// Begins an attempt if it is time.
    pub(super) fn advance(
        &mut self,
        common: &mut Common,
        leisure: Leisure,
        offers: &Offers,
        now: Instant,
    ) {
        if !leisure.is_idle {
            self.idle_since = None;
            return;
        }
        self.idle_since.get_or_insert(now);
        if let (Some(unclear), Some(as_of)) = (self.unclear_since, leisure.list_as_of)
            && unclear < as_of
        {
            self.unclear_since = None;
        }
        let may_begin = self.due(common).is_some_and(|due| due <= now);
        if may_begin && !offers.is_any_open() {
            self.begin(common, now);
        }
    }

    /// When the next attempt may begin.
    pub(super) fn wake(&self, common: &Common, offers: &Offers) -> Option<Instant> {
        self.due(common).filter(|_| !offers.is_any_open())
    }

    fn due(&self, common: &Common) -> Option<Instant> {
        let config = &common.settings.matchmaking;
        if !config.enabled || self.is_asking() || self.unclear_since.is_some() {
            return None;
        }
        let idle = self.idle_since? + Duration::from_secs(config.idle_s);
        let spent_until = self.ledger.spent_until(config.daily_max);
        [Some(idle), self.next_at, spent_until]
            .into_iter()
            .flatten()
            .max()
    }

    fn begin(&mut self, common: &mut Common, now: Instant) {
        self.ledger.forget(now);
        self.ledger.spend(now);
        self.wait(
            now,
            Duration::from_secs(common.settings.matchmaking.interval_s),
        );
        if may(common, Way::Accept) || may(common, Way::Seek) {
            self.step = Step::Seeks;
            common.ask(Request::Seeks);
        } else {
            self.look_for_players(common);
        }
    }

    fn wait(&mut self, now: Instant, time: Duration) {
        self.next_at = self.next_at.max(Some(now + time));
    }

    fn look_for_players(&mut self, common: &mut Common) {
        if may(common, Way::Challenge) {
            let found = Vec::new();
            self.step = Step::Players { pages: 1, found };
            common.ask(Request::Players { cursor: None });
        } else {
            self.open_seek(common);
        }
    }

    fn open_seek(&mut self, common: &mut Common) {
        if may(common, Way::Seek) {
            self.step = Step::Seek;
            common.ask(Request::Seek(new_seek(&common.settings.matchmaking)));
        } else {
            self.step = Step::Rest;
        }
    }

    /// The open seeks.
    pub(super) fn on_seeks(
        &mut self,
        common: &mut Common,
        offers: &Offers,
        now: Instant,
        answer: Answer<SeeksPage>,
    ) {
        let Some(page) = self.finish(common, now, "looking at the seeks", answer) else {
            return;
        };
        if self.idle_since.is_none() || offers.is_any_open() {
            return;
        }
        let may_ask = |player: &PlayerId| self.ledger.may_ask(player, now);
        match eligible_seek(common, &page.seeks, may_ask) {
            Some(seek) if may(common, Way::Accept) => {
                self.step = Step::AcceptSeek(seek.from.clone());
                let seek = seek.id.clone();
                common.ask(Request::AcceptSeek { seek });
            }
            _ => self.look_for_players(common),
        }
    }

    /// The answer to the acceptance of a seek; the game that came of it, if any.
    pub(super) fn on_seek_accepted(
        &mut self,
        common: &mut Common,
        now: Instant,
        answer: Answer<GameId>,
    ) -> Option<(GameId, PlayerRef)> {
        let Step::AcceptSeek(from) = std::mem::replace(&mut self.step, Step::Rest) else {
            return None;
        };
        let game = self.finish(common, now, "accepting a seek", answer)?;
        tell(common, Way::Accept, Some(&from.name));
        Some((game, from))
    }

    /// A page of players.
    pub(super) fn on_players(
        &mut self,
        common: &mut Common,
        now: Instant,
        answer: Answer<PlayersPage>,
    ) {
        let Step::Players { pages, mut found } = std::mem::replace(&mut self.step, Step::Rest)
        else {
            return;
        };
        let Some(page) = self.finish(common, now, "looking for players", answer) else {
            return;
        };
        if self.idle_since.is_none() {
            return;
        }
        let may_ask = |player: &PlayerId| self.ledger.may_ask(player, now);
        found.extend(eligible_players(common, page.players, may_ask));
        if page.next_cursor.is_some() && pages < PAGES_MAX {
            let pages = pages + 1;
            self.step = Step::Players { pages, found };
            let cursor = page.next_cursor;
            return common.ask(Request::Players { cursor });
        }
        match choice::any_of(found, &mut common.random) {
            Some(player) => {
                let challenge = new_challenge(&common.settings.matchmaking, &player);
                self.step = Step::Challenge(player);
                common.ask(Request::Challenge(challenge));
            }
            None => self.open_seek(common),
        }
    }

    /// The answer to a challenge.
    pub(super) fn on_challenged(
        &mut self,
        common: &mut Common,
        offers: &mut Offers,
        now: Instant,
        answer: Answer<ChallengeCreated>,
    ) {
        let Step::Challenge(to) = std::mem::replace(&mut self.step, Step::Rest) else {
            return;
        };
        if let Some(created) = self.finish(common, now, "challenging", answer) {
            tell(common, Way::Challenge, Some(&to.name));
            let id = OfferId::Challenge(created.id);
            offers.add(common, id, Some(to.id), created.expires_at, now);
        }
    }

    /// The answer to an own seek.
    pub(super) fn on_sought(
        &mut self,
        common: &mut Common,
        offers: &mut Offers,
        now: Instant,
        answer: Answer<SeekCreated>,
    ) {
        if let Some(created) = self.finish(common, now, "seeking", answer) {
            tell(common, Way::Seek, None);
            offers.add(
                common,
                OfferId::Seek(created.id),
                None,
                created.expires_at,
                now,
            );
        }
    }

    /// The account's challenges, as a poll lists them.
    pub(super) fn on_sent(&mut self, common: &mut Common, now: Instant, sent: &[Challenge]) {
        for challenge in sent {
            let is_declined = challenge.status == ChallengeStatus::Declined;
            if let Some(to) = challenge.to.as_ref().filter(|_| is_declined)
                && !self.noted.contains(&challenge.id)
            {
                self.noted.insert(challenge.id.clone());
                let reason = challenge.decline_reason;
                let again_in = self.leave_alone(common, to.id.clone(), reason, now);
                common.tell(Event::ChallengeDeclined { reason, again_in });
            }
        }
    }

    /// Players who have let a challenge expire.
    pub(super) fn on_silence(&mut self, common: &Common, now: Instant, players: Vec<PlayerId>) {
        for player in players {
            self.leave_alone(common, player, None, now);
        }
    }

    fn leave_alone(
        &mut self,
        common: &Common,
        player: PlayerId,
        reason: Option<crate::api::DeclineReason>,
        now: Instant,
    ) -> Duration {
        let hours = common.settings.matchmaking.declined_h;
        let declined = Duration::from_secs(hours * 3600);
        self.ledger.leave_alone(player, reason, declined, now)
    }

    /// Ends the step; what the answer brought, if it is good.
    fn finish<T>(
        &mut self,
        common: &mut Common,
        now: Instant,
        what: &str,
        answer: Answer<T>,
    ) -> Option<T> {
        self.step = Step::Rest;
        match answer.result {
            Ok(value) => {
                common.measure(answer.trip, None);
                self.refusals.reset();
                Some(value)
            }
            Err(error) => {
                self.on_failure(common, now, what, &error);
                None
            }
        }
    }

    /// Waits longer each time; a server that wants fewer attempts is heard here and nowhere else.
    fn on_failure(
        &mut self,
        common: &mut Common,
        now: Instant,
        what: &str,
        error: &TransportError,
    ) {
        if error.is_ambiguous() {
            self.unclear_since = Some(now);
        }
        let wait = self
            .refusals
            .next_wait(error.asked_wait(), &mut common.random);
        self.wait(now, wait);
        common.trouble(None, format!("{what}: {error}"), Some(wait));
    }
}

fn may(common: &Common, way: Way) -> bool {
    common.settings.matchmaking.ways.contains(&way)
}

fn tell(common: &mut Common, way: Way, opponent: Option<&str>) {
    let opponent = opponent.map(str::to_owned);
    common.tell(Event::GameSought { way, opponent });
}
