"""Where each scenario that people reported of such systems is tested, or with what it will come and why."""

import ast
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import pytest
from attrs import frozen

from cli_example import ROOT

REPORTS = ROOT.parent / "shared" / "cases" / "reports.jsonl"


@frozen
class Answer:
    """The tests of a scenario (`file::test`, below `tests/`), and what of it is still to come, with what."""

    tests: tuple[str, ...] = ()
    later: str = ""


def by(*tests: str, later: str = "") -> Answer:
    return Answer(tests, later)


_FACTS, _FILES, _IMPORTS, _RUNNING, _REVIEW = (
    f"test_reports_{name}.py::test_" for name in ("facts", "files", "imports", "running", "review")
)

WHERE: Mapping[str, Answer] = MappingProxyType(
    {
        "bc-001": by(
            "test_codex_threads.py::test_a_fork_that_was_stamped_anew_shares_its_parents_turns",
            "test_codex_threads.py::test_the_moment_of_a_fork_is_no_time_of_what_it_copied",
            f"{_IMPORTS}a_fork_of_codex_brings_its_own_turn_alone",
            f"{_IMPORTS}forks_and_continuations_of_claude_code_say_each_thing_once",
            "test_pi.py::test_what_a_fork_copied_is_kept_once_in_whatever_order_the_files_come",
        ),
        "bc-003": by(
            "test_codex_threads.py::test_a_fork_that_keeps_the_roots_header_has_the_id_of_its_file",
            "test_openclaw.py::test_equal_ids_of_two_agents_and_of_two_topics_are_sessions_of_their_own",
        ),
        "bc-004": by(
            "test_claude_code.py::test_a_parent_that_was_never_written_is_bridged_and_counted",
            "test_pi_lines.py::test_a_parent_that_was_never_written_is_a_gap_and_nothing_above_is_lost",
        ),
        "bc-005": by("test_claude_code.py::test_what_a_hook_was_at_makes_no_branch_and_no_head"),
        "bc-008": by(
            "test_claude_code.py::test_half_a_record_at_the_end_waits_and_is_then_left_out",
            "test_codex.py::test_half_a_record_at_the_end_waits_for_the_next_import",
            "test_pi_lines.py::test_a_torn_tail_waits_and_nothing_is_taken_twice",
        ),
        "bc-009": by(
            "test_claude_code.py::test_a_record_that_was_cut_and_written_again_is_taken_once",
            "test_codex.py::test_half_a_record_that_is_written_again_is_counted",
        ),
        "bc-010": by("test_codex.py::test_ordinals_are_advice_only"),
        "bc-013": by(
            "test_chatgpt.py::test_an_abandoned_answer_never_becomes_a_record",
            "test_branches_end_to_end.py::test_an_abandoned_branch_is_archived_and_never_poses_as_current",
            "test_message_dialects.py::test_rows_that_name_their_parents_are_a_tree",
            f"{_IMPORTS}harness_rewinds_and_answers_make_no_records",
        ),
        "bc-014": by("test_chatgpt.py::test_two_chats_of_one_title_and_day_are_two_sessions"),
        "bc-016": by(
            "test_chatgpt.py::test_parts_may_be_objects_and_no_words_are_lost",
            "test_message_dialects.py::test_parts_that_are_objects_are_named_and_the_turn_is_kept",
        ),
        "bc-017": by(
            "test_claude_ai.py::test_the_branch_of_the_newest_message_is_live_and_an_edit_abandoned",
            "test_claude_ai.py::test_words_that_were_only_pasted_are_kept",
            "test_claude_ai.py::test_an_edit_is_kept_but_never_as_current",
        ),
        "bc-018": by(
            "test_excluded.py::test_runs_of_our_own_writer_are_left_out_by_id_and_who_quotes_it_is_taken",
            "test_keeper.py::test_a_second_round_with_no_new_talk_makes_no_commit",
        ),
        "bc-020": by(
            "crash/test_kill_pass.py::test_a_pass_killed_at_any_step_is_finished_by_the_next_one",
            "test_writer.py::test_the_marks_of_another_workspace_do_not_count",
            f"{_FACTS}memory_that_was_deleted_is_written_again_from_the_conversations",
        ),
        "bc-024": by(
            "test_secrets.py::"
            "test_our_own_context_comes_back_ten_times_and_stays_one_record_with_one_citation",
            "test_claude_words.py::test_what_memory_put_into_a_conversation_does_not_come_back",
            "test_valid.py::test_an_assistant_that_repeats_itself_supports_nothing",
        ),
        "bc-027": by(
            "test_codex.py::test_what_the_harness_says_in_the_users_role_is_no_talk",
            "test_claude_words.py::test_the_harness_is_nowhere_in_memory",
            f"{_IMPORTS}harness_rewinds_and_answers_make_no_records",
        ),
        "bc-028": by(
            f"{_FACTS}the_same_sentence_from_another_session_never_takes_the_first_away",
            "test_contradictions.py::test_the_same_again_is_a_second_citation_of_one_record",
        ),
        "bc-029": by(
            f"{_FACTS}a_contradiction_leaves_the_new_state_and_the_old_one_with_its_evidence",
            "test_contradictions.py::test_a_newer_value_follows_and_the_older_one_stays_dated",
            "test_contradictions.py::test_a_contradiction_never_ends_empty",
        ),
        "bc-031": by(
            f"{_RUNNING}a_state_that_comes_back_is_there_with_the_day_of_each_time",
            "test_contradictions.py::test_a_state_that_comes_back_has_both_of_its_times",
            "test_valid.py::test_who_was_on_payments_in_may_is_nobody_and_today_it_is_alex",
        ),
        "bc-032": by(
            "test_zones.py::test_times_of_every_kind_count_on_their_day",
            "test_moments.py::test_every_spelling_of_a_time_is_accepted_and_none_is_made_up",
            "test_days.py::test_times_of_every_kind_are_put_in_order",
        ),
        "bc-033": by("test_zones.py::test_yesterday_is_the_day_before_in_the_zone_of_the_workspace"),
        "bc-034": by(
            f"{_FACTS}what_an_assistant_or_a_tool_said_becomes_no_record",
            "test_contradictions.py::test_a_wrong_guess_is_followed_by_what_turned_out",
            f"{_REVIEW}a_guess_that_was_wrong_is_retracted_and_goes_along_no_more",
        ),
        "bc-037": by(
            f"{_FACTS}a_majority_of_old_evidence_does_not_beat_the_newer_state",
            "test_contradictions.py::test_five_old_citations_are_closed_together_by_one_newer_value",
            "test_valid.py::test_old_citations_do_not_keep_a_newer_state_from_being_assessed_by_itself",
        ),
        "bc-039": by("test_branches_end_to_end.py::test_a_rule_of_one_project_does_not_hold_in_another"),
        "bc-040": by(
            f"{_RUNNING}the_same_words_on_another_day_are_one_record_of_which_nothing_is_lost",
            f"{_REVIEW}a_fact_that_was_said_nine_times_goes_along_once_and_is_offered_to_be_united",
            "test_contexts.py::test_a_former_record_is_never_shown_without_the_current_one",
            "test_paraphrases.py::test_nine_wordings_of_a_fact_are_one_record_once_they_were_read",
            "test_paraphrases.py::test_contradicting_versions_go_along_both_however_alike_their_words_are",
            later="until a model has read them, other wordings stay apart: no vectors part them from a no",
        ),
        "bc-041": by("test_structured.py::test_an_answer_that_was_cut_off_is_neither_nothing_nor_a_part"),
        "bc-042": by(
            "test_structured.py::test_the_object_is_found_in_prose_and_fences",
            "test_structured.py::test_a_fence_inside_a_text_ends_nothing",
        ),
        "bc-044": by(
            "test_stage.py::test_stray_files_are_dropped_by_name",
            f"{_RUNNING}what_git_does_to_line_ends_changes_no_byte",
        ),
        "bc-045": by(f"{_RUNNING}what_was_rejected_leaves_nothing_for_the_next_change"),
        "bc-048": by(
            "test_sync_refusals.py::test_a_history_of_another_memory_is_kept_aside_and_replaces_nothing",
            "test_sync_refusals.py::test_a_rewritten_history_is_kept_aside_and_replaces_nothing",
        ),
        "bc-049": by(
            "test_by_hand.py::test_records_that_do_not_meet_are_both_kept",
            "test_by_hand.py::test_the_same_record_keeps_the_text_of_the_person",
            "test_by_hand.py::test_a_batch_that_meets_a_persons_text_stays_pending",
        ),
        "bc-052": by(
            "test_lock.py::test_a_killed_holder_lets_go",
            "test_concurrent.py::test_a_writer_that_is_killed_while_it_holds_the_lock_holds_it_no_longer",
            "test_keeper.py::test_a_second_keeper_says_so_and_ends",
        ),
        "bc-053": by(
            "test_concurrent.py::test_two_processes_write_and_nothing_is_lost_while_a_third_one_reads",
            "test_concurrent.py::test_two_passes_at_once_write_each_message_once",
        ),
        "bc-054": by(
            f"{_RUNNING}what_is_written_while_an_index_is_built_is_there",
            "test_index.py::test_a_snapshot_stays_at_its_commit_while_another_process_follows",
        ),
        "bc-055": by(f"{_FILES}a_folder_that_cannot_be_seen_takes_nothing_away"),
        "bc-056": by(f"{_FILES}two_forms_of_a_name_are_one_topic_and_no_file_is_renamed"),
        "bc-057": by(
            f"{_FILES}a_name_in_another_case_leads_to_the_topic_that_there_is",
            "test_command_passes.py::test_a_second_spelling_of_a_title_is_refused_with_the_topic_that_there_is",
        ),
        "bc-058": by(f"{_FACTS}a_whole_note_is_not_replaced_by_a_short_text"),
        "bc-061": by(
            f"{_FACTS}a_whole_note_is_not_replaced_by_a_short_text",
            "test_doctor.py::test_a_topic_that_grew_large_is_named",
            "test_organize.py::test_a_topic_beyond_the_limit_is_cut_by_its_headings_and_every_link_lands",
        ),
        "bc-063": by(
            "test_keeper.py::test_without_a_switch_nothing_is_taken_in_whatever_programs_keep",
            "test_organize_runs.py::test_a_month_later_nothing_is_organized_where_nothing_was_written",
        ),
        "bc-064": by(f"{_FILES}a_head_that_cannot_be_read_is_left_as_it_is"),
        "bc-065": by(f"{_FILES}one_broken_topic_costs_no_other"),
        "bc-066": by(
            f"{_FILES}lines_of_a_list_are_no_records",
            "test_transcript.py::test_lines_belong_to_the_turn_before_them_and_code_is_no_speaker",
        ),
        "bc-068": by(f"{_FILES}a_heading_is_meant_by_its_whole_chain"),
        "bc-071": by(f"{_FILES}a_mark_at_the_start_and_other_line_ends_are_no_change"),
        "bc-072": by(
            "test_claude_sessions.py::"
            "test_the_directory_is_that_of_each_record_whatever_the_folder_is_called",
            "test_directories.py::test_a_directory_that_moves_keeps_its_id_and_its_memory",
        ),
        "bc-073": by(
            "test_secrets.py::test_no_secret_of_a_conversation_is_anywhere_in_memory",
            f"{_IMPORTS}a_secret_beside_the_words_stays_out_as_well",
        ),
        "bc-074": by(
            "test_secrets.py::test_what_a_tool_printed_is_never_archived_nor_shown",
            "test_claude_words.py::test_what_a_tool_printed_is_nowhere_in_memory",
        ),
        "bc-075": by(
            f"{_FACTS}what_an_assistant_or_a_tool_said_becomes_no_record",
            "test_trust.py::test_a_rule_needs_the_owners_word_in_the_definition_that_says_so",
        ),
        "bc-079": by(
            f"{_FACTS}two_clients_at_once_share_nothing",
            f"{_REVIEW}nobody_says_in_an_argument_who_they_are",
            "test_mcp_http.py::test_two_agents_of_two_actors_at_once_are_kept_apart",
            "test_agent_leases.py::test_leases_are_one_agents_and_no_parameter_says_whose",
        ),
        "bc-080": by(
            f"{_FACTS}what_was_forgotten_stays_gone_when_its_session_comes_again",
            "test_erase.py::test_nothing_below_the_home_holds_the_words",
        ),
        "bc-081": by(
            f"{_FACTS}what_was_forgotten_stays_gone_when_its_session_comes_again",
            "test_erase.py::test_the_same_log_imported_again_brings_nothing_back",
            "test_service.py::test_what_was_forgotten_says_when",
        ),
        "bc-082": by(f"{_FACTS}one_wrong_fact_goes_and_the_others_of_its_batch_stay"),
        "bc-084": by(f"{_FILES}the_last_word_of_a_long_topic_is_found_by_its_record"),
        "bc-085": by(f"{_FILES}no_query_is_syntax"),
        "bc-086": by(
            "test_core_view.py::test_a_record_that_does_not_fit_is_left_out_and_the_next_one_is_tried",
            "test_service.py::test_the_resident_block_says_what_it_leaves_out",
            "test_contexts.py::test_what_is_too_long_is_shortened_with_a_pointer",
            "test_contexts.py::test_what_was_delivered_is_its_trace_token_for_token",
        ),
        "bc-087": by(
            f"{_RUNNING}the_resident_block_is_that_of_the_newest_commit_and_names_it",
            "test_hook.py::test_a_session_begins_with_the_core_and_its_revision",
            "test_assessed.py::test_what_turns_stale_while_an_agent_talks_is_stale_in_its_very_next_answer",
        ),
        "bc-088": by(
            "test_keeper_failures.py::test_what_waits_for_longer_than_a_day_is_shown_with_its_reason"
        ),
        "bc-089": by(
            "test_keeper_failures.py::test_however_a_writer_fails_status_says_so_in_words",
            f"{_REVIEW}an_answer_is_given_when_it_is_kept_and_a_failure_is_no_success",
            "test_once.py::test_what_is_rejected_claims_nothing",
            "test_agent_leases.py::test_a_lease_that_runs_out_returns_the_batch_to_anyone",
        ),
        "bc-090": by(
            "test_index.py::test_a_first_build_goes_on_where_it_stopped",
            later="half a million records are measured with the search",
        ),
        "bc-091": by(
            "test_locomo_answers_runs.py::test_a_run_publishes_who_answered_who_judged_by_which_key_and_every_word",
            "test_locomo_answers_runs.py::test_the_same_answers_are_judged_twice_and_stand_beside_grep_and_the_whole_conversation",
            "test_locomo_answers_runs.py::test_words_are_counted_without_any_judge",
            "test_locomo_answers.py::test_a_key_corrects_and_leaves_out_and_says_which_it_is",
            "test_locomo_benchmark.py::test_a_run_prints_tables_and_json",
        ),
    }
)


@cache
def _tests(file: str) -> frozenset[str]:
    path = Path(__file__).parent / file
    tree = ast.parse(path.read_text()) if path.is_file() else ast.Module([], [])
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_every_reported_scenario_has_its_place() -> None:
    if not REPORTS.is_file():
        pytest.skip("the reported scenarios, ../shared/cases/reports.jsonl, are not beside this repository")
    known = [json.loads(line)["id"] for line in REPORTS.read_text().splitlines() if line.strip()]
    assert sorted(WHERE) == sorted(known)


@pytest.mark.parametrize("name", WHERE)
def test_what_a_scenario_names_is_there(name: str) -> None:
    """The tests exist; and where there is none, it is said why."""
    answer = WHERE[name]
    named = [test.split("::") for test in answer.tests]
    assert [f"{file}::{test}" for file, test in named if test not in _tests(file)] == []
    assert answer.tests or answer.later
