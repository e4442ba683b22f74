//! What went wrong elsewhere, and the tests that hold it off here.
//!
//! Each row is a failure that other bots' users have reported; beside it the tests of this folder (or the named file)
//! that show what holds instead. `world::…` stands for `session_world::…`.
//!
//! | reported elsewhere | held by |
//! |---|---|
//! | losses on time, no move sent | `session_turns::without_time_a_turn_goes_out_at_once_and_nothing_is_given_up`, `session_games::a_search_that_overruns_or_fails_still_gives_a_legal_turn` |
//! | moves after the game is over | `session_games::a_finished_game_is_not_searched_and_gets_no_turn`, `…a_game_that_ends_during_the_search_gets_no_turn` |
//! | an opponent's move never heard of | `session_games::a_lost_poll_is_made_good_from_the_full_state`, `…a_lost_watch_is_made_good_by_the_poll`, `world::watches_that_vanish_do_not_stop_running_games`, `world::polls_that_vanish_do_not_stop_running_games` |
//! | 504, then 400, game abandoned | `session_faults::after_an_ambiguous_answer_the_same_turn_is_sent_again`, `…a_conflict_is_settled_by_reading_the_game` |
//! | a slow acknowledgement, a second try refused | `session_faults::while_a_turn_is_on_its_way_it_is_not_sent_a_second_time`, `world::every_kind_of_disturbance_is_survived_in_whole_games` (no conflict in the server's log) |
//! | a stalled request blocks the slot | `http::silence_ends_with_the_time_out`, `session_faults::a_turn_gets_a_last_chance_before_the_flag_falls` |
//! | no new games after an odd end; end and last state in either order | `session_games::the_end_of_a_game_frees_its_place_whichever_news_comes_first` |
//! | capacity shrinks with each cancelled game | `session_lobby::a_withdrawn_challenge_gives_its_place_to_the_next`, `session_turns::an_opponent_who_never_begins_is_not_waited_for` |
//! | finished games count for ever | `world::a_thousand_finished_games_leave_nothing_to_do` |
//! | several challenges accepted for one place | `session_lobby::five_challenges_and_one_place_make_one_acceptance` |
//! | an own challenge accepted late makes two games | `session_matchmaking::becoming_busy_takes_open_offers_back`, `…a_late_acceptance_beyond_the_places_is_called_off` |
//! | a game beyond the places is never played | `session_turns::a_game_beyond_the_places_is_called_off_or_played_but_never_left` |
//! | the same bot challenges for ever | `session_lobby::one_opponent_gets_so_many_games_at_once_and_so_many_a_day` |
//! | many engines for one game | `session_games::one_game_listed_a_hundred_times_has_one_worker` |
//! | engines leak | `session_games::a_finished_game_is_not_searched_and_gets_no_turn` (released), memory and threads flat in `tests/soak` |
//! | a hung engine hangs the bot | `session_turns::a_search_past_its_deadline_is_stopped_and_its_best_turn_so_far_is_played`, `world::searches_that_panic_or_hang_cost_no_game` |
//! | no time left after a reconnection, and resigned | `session_turns::without_time_a_turn_goes_out_at_once_and_nothing_is_given_up` |
//! | an illegal move hangs the game | `session_faults::after_an_illegal_turn_another_legal_one_is_sent`, `session_turns::turns_that_the_server_calls_illegal_end_the_game_at_the_third` |
//! | the engine crashes in mid game | `whole_game::a_search_that_panics_costs_no_game`, `session_turns::after_three_lost_searches_in_a_row_the_game_is_played_without` |
//! | the bot's process dies, game frozen | `tests/soak` (killed a hundred times), `session_turns::after_a_restart_every_running_game_is_played_the_lowest_clock_first` |
//! | the server is restarted while the bot thinks | `world::a_server_that_is_away_for_a_while_is_found_again` |
//! | asked to move when it is not its turn | `session_games::when_the_opponent_is_to_move_nothing_is_thought_or_sent`, `…a_turn_is_sent_only_if_everything_in_the_state_asks_for_it` |
//! | the same move told twice corrupts the board | `session_games::one_game_listed_a_hundred_times_has_one_worker`, `…a_late_old_state_changes_nothing` |
//! | the bot's log has the move, the server has not | `session_faults::a_good_answer_that_does_not_know_the_turn_is_none`, `…an_older_state_is_believed_when_every_read_confirms_it` |
//! | wrong local clock | `session_games::the_servers_clock_may_be_an_hour_off`, `world::a_wrong_clock_on_either_side_changes_no_turn` |
//! | sudden lag | `session_turns::a_slower_way_to_the_server_shortens_the_next_turns`, `world::a_way_that_becomes_slow_loses_no_game` |
//! | mean and worst lag, two overhead knobs | `session_turns::the_one_overhead_knob_counts_in_full` |
//! | 429 on a move abandons the game | `session_faults::too_many_requests_wait_as_long_as_asked_and_the_game_is_kept` |
//! | pages where JSON was expected | `http::a_page_with_any_status_is_a_disturbance_and_shown_short`, `session_faults::a_page_in_answer_to_anything_is_no_reason_to_drop_a_game` |
//! | too many requests with many games | `world::the_number_of_requests_stays_within_its_limit_and_falls_under_errors`, `session/pace.rs` |
//! | 429 for challenges only | `session_matchmaking::a_server_that_wants_fewer_challenges_is_heard_there_and_nowhere_else` |
//! | unreadable bodies kill a loop | `http::bodies_that_do_not_read_are_errors`, `…a_connection_cut_in_mid_body_is_a_network_error`, `world::every_kind_of_disturbance_is_survived_in_whole_games` |
//! | idle for ever after 502s | `session_faults::ten_minutes_of_failing_polls_are_survived_with_waits_that_are_told_as_they_are` |
//! | hangs after one error; shows offline until restarted | `tests/operate` (a metric, a log line and an exit code for a server that is silent), `whole_game::a_request_that_panics_ends_the_bot_loudly` |
//! | one slow endpoint restarts everything | `world::polls_that_vanish_do_not_stop_running_games` |
//! | games not resumed after a network loss | `session_turns::after_a_restart_every_running_game_is_played_the_lowest_clock_first` |
//! | exits when the site is down at start | `session_lobby::an_unreachable_server_is_waited_for` |
//! | a network failure reported as a bad token | `play_command::a_server_that_does_not_know_the_token_is_left`, `http::an_unreachable_server_is_named_as_a_network_error`, `…names_that_do_not_resolve_and_broken_tls_are_network_errors` |
//! | TLS not verified, or tried fast for ever | `http::names_that_do_not_resolve_and_broken_tls_are_network_errors`, waits as for any failure; no setting turns verification off |
//! | the token in logs and in pasted configs | `http::the_token_is_in_no_debug_output_of_errors`, `tests/operate`, `tests/soak` |
//! | an opponent who never begins | `session_turns::an_opponent_who_never_begins_is_not_waited_for` |
//! | a repeated state doubles a move | `session_games::a_read_is_not_repeated_for_news_that_is_known`, `…the_opponents_turn_is_watched_for_and_heard_of_once` |
//! | a history shorter than the own one | `session_faults::an_older_state_is_believed_when_every_read_confirms_it` |
//! | an unknown phase of the game | `session_games::a_state_of_a_kind_that_is_not_known_is_asked_for_again` |
//! | moves not sent after a soft quit; drain, deadline, second signal | `session_games::the_first_stop_lets_games_end_and_the_second_leaves`, `…by_config_the_second_stop_gives_running_games_up_and_the_third_does_not_wait`, `session_matchmaking::an_own_seek_is_taken_back_when_the_bot_stops`, `world::a_stop_in_the_middle_lets_all_games_end` |
//! | records lost at quit | `records::every_turn_is_on_disk_before_the_next`, `…after_a_restart_the_record_goes_on_without_doubling`, `tests/soak` (killed) |
//! | many slow games time out | `world::fifty_games_with_one_thread_are_all_played_in_time`, `session_turns::as_many_games_search_as_there_are_threads_and_the_most_urgent_go_first` |
//! | an event stream is silent though alive | `session_faults::every_minute_the_whole_list_is_compared_whatever_the_tags_say` |
//! | the client timed out, the server had assigned | `session_matchmaking::a_challenge_whose_answer_is_lost_is_found_again_and_not_doubled`, `…offers_of_an_earlier_process_are_known_from_the_server` |
//! | child processes accumulate; logs grow | no child processes; `tests/operate` (rotation), `tests/soak` |
//!
//! Rows that do not apply: takebacks, draw offers and chat, which the API does not have.

/// The table names only tests that exist.
#[test]
fn every_test_in_the_table_exists() {
    let sources = [
        include_str!("http.rs"),
        include_str!("play_command.rs"),
        include_str!("records.rs"),
        include_str!("session_faults.rs"),
        include_str!("session_games.rs"),
        include_str!("session_lobby.rs"),
        include_str!("session_matchmaking.rs"),
        include_str!("session_turns.rs"),
        include_str!("session_world.rs"),
        include_str!("whole_game.rs"),
    ]
    .concat();
    let rows = include_str!("rows.rs")
        .lines()
        .filter(|line| line.starts_with("//! | "));
    let mut named = 0;
    for row in rows.skip(1) {
        let quoted = row.split('`').skip(1).step_by(2);
        let tests = quoted.filter(|quoted| quoted.contains("::") || quoted.starts_with('…'));
        for test in tests {
            let name = test.rsplit("::").next().unwrap_or(test);
            let name = name.trim_start_matches('…');
            assert!(
                sources.contains(&format!("fn {name}()")),
                "{name} in `{row}`"
            );
            named += 1;
        }
    }
    assert!(named > 60, "{named} tests");
}
