"""Survey: estimates, intervals, sample sizes and comparisons of devices from mechanisms and responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.accounting.decks import DealtDeck as DealtDeck
    from rropt.accounting.trait_devices import DrawnAnswers as DrawnAnswers
    from rropt.answers.respondents import Answers as Answers
    from rropt.answers.respondents import answers_of_counts as answers_of_counts
    from rropt.answers.respondents import answers_of_rows as answers_of_rows
    from rropt.answers.table_reports import TableReading as TableReading
    from rropt.estimates.finite_estimates import estimate_dealt as estimate_dealt
    from rropt.estimates.several_questions import QuestionsEstimate as QuestionsEstimate
    from rropt.estimates.several_questions import estimate_questions as estimate_questions
    from rropt.estimates.survey_estimates import SurveyEstimate as SurveyEstimate
    from rropt.estimates.survey_estimates import survey_estimate as survey_estimate
    from rropt.inference.confidence_intervals import Interval as Interval
    from rropt.inference.confidence_intervals import confidence_interval as confidence_interval
    from rropt.inference.confidence_intervals import confidence_intervals as confidence_intervals
    from rropt.inference.confidence_intervals import coverage as coverage
    from rropt.inference.contingency_tables import TableEstimate as TableEstimate
    from rropt.inference.contingency_tables import cell_variances as cell_variances
    from rropt.inference.contingency_tables import estimate_cells as estimate_cells
    from rropt.inference.contingency_tables import estimate_marginals as estimate_marginals
    from rropt.inference.count_estimates import Estimate as Estimate
    from rropt.inference.count_estimates import estimate as estimate
    from rropt.inference.count_estimates import exact_contrast as exact_contrast
    from rropt.inference.count_estimates import unit as unit
    from rropt.inference.finite_populations import SurveyVariance as SurveyVariance
    from rropt.inference.finite_populations import survey_variance as survey_variance
    from rropt.inference.interval_kinds import INTERVAL_KINDS as INTERVAL_KINDS
    from rropt.inference.joint_likelihood import JointEstimate as JointEstimate
    from rropt.inference.joint_likelihood import estimate_joint as estimate_joint
    from rropt.inference.likelihood import likelihood_gap as likelihood_gap
    from rropt.inference.likelihood import most_likely_population as most_likely_population
    from rropt.inference.precision import covariance_at as covariance_at
    from rropt.inference.precision import variance_at as variance_at
    from rropt.inference.simultaneous import PairEstimates as PairEstimates
    from rropt.inference.simultaneous import SimultaneousIntervals as SimultaneousIntervals
    from rropt.inference.simultaneous import estimate_pairs as estimate_pairs
    from rropt.inference.simultaneous import simultaneous_intervals as simultaneous_intervals
    from rropt.inference.utility import Utility as Utility
    from rropt.inference.utility import utility as utility
    from rropt.mechanisms.joint import JointMechanism as JointMechanism
    from rropt.mechanisms.joint import View as View
    from rropt.noncompliance.behaviours import Behaviour as Behaviour
    from rropt.noncompliance.behaviours import Population as Population
    from rropt.noncompliance.behaviours import Sample as Sample
    from rropt.noncompliance.behaviours import behaviours as behaviours
    from rropt.noncompliance.bounds import NonCompliers as NonCompliers
    from rropt.noncompliance.bounds import PrevalenceBounds as PrevalenceBounds
    from rropt.noncompliance.bounds import SharpInterval as SharpInterval
    from rropt.noncompliance.bounds import prevalence_bounds as prevalence_bounds
    from rropt.noncompliance.breakdown import Breakdown as Breakdown
    from rropt.noncompliance.breakdown import Conclusion as Conclusion
    from rropt.noncompliance.breakdown import Reconciliation as Reconciliation
    from rropt.noncompliance.breakdown import breakdown_by_size as breakdown_by_size
    from rropt.noncompliance.breakdown import breakdown_point as breakdown_point
    from rropt.noncompliance.breakdown import least_noncompliers as least_noncompliers
    from rropt.noncompliance.identified import TypeShares as TypeShares
    from rropt.noncompliance.identified import identified_shares as identified_shares
    from rropt.noncompliance.noncompliance_bounds import Bounds as Bounds
    from rropt.noncompliance.noncompliance_bounds import noncompliance_bounds as noncompliance_bounds
    from rropt.noncompliance.population_program import Attained as Attained
    from rropt.noncompliance.two_samples import TwoSampleEstimates as TwoSampleEstimates
    from rropt.noncompliance.widths import WidthDesign as WidthDesign
    from rropt.noncompliance.widths import design_noncompliance as design_noncompliance
    from rropt.plans.finite_plans import SurveyPlan as SurveyPlan
    from rropt.plans.finite_plans import plan_deck as plan_deck
    from rropt.plans.finite_plans import plan_survey as plan_survey
    from rropt.plans.goals import MechanismPlan as MechanismPlan
    from rropt.plans.goals import plan_answers as plan_answers
    from rropt.plans.marginals import AffordableOrder as AffordableOrder
    from rropt.plans.marginals import affordable_order as affordable_order
    from rropt.plans.marginals import marginal_variance as marginal_variance
    from rropt.plans.plan import Achieved as Achieved
    from rropt.plans.plan import ExpectedPrecision as ExpectedPrecision
    from rropt.plans.plan import Plan as Plan
    from rropt.plans.plan import expected_precision as expected_precision
    from rropt.survey.comparisons.budget_table import ComparedDesign as ComparedDesign
    from rropt.survey.comparisons.combined_responses import DesignPrecision as DesignPrecision
    from rropt.survey.comparisons.combined_responses import PrecisionComparison as PrecisionComparison
    from rropt.survey.comparisons.combined_responses import compare_precision as compare_precision
    from rropt.survey.comparisons.direct_questions import DirectComparison as DirectComparison
    from rropt.survey.comparisons.direct_questions import compare_with_direct as compare_with_direct
    from rropt.survey.comparisons.equal_privacy import DesignComparison as DesignComparison
    from rropt.survey.comparisons.equal_privacy import compare_designs as compare_designs
    from rropt.survey.comparisons.equal_privacy import two_point_bound as two_point_bound
    from rropt.survey.declarations.initial_survey import InitialSurvey as InitialSurvey
    from rropt.survey.declarations.initial_survey import init_survey as init_survey
    from rropt.survey.declarations.survey_declaration import Question as Question
    from rropt.survey.declarations.survey_declaration import Survey as Survey
    from rropt.survey.devices.dealing import deal as deal
    from rropt.survey.devices.threat_models import RespondentPrivacy as RespondentPrivacy
    from rropt.survey.devices.threat_models import respondent_privacy as respondent_privacy
    from rropt.survey.from_tables.estimating import estimate_table as estimate_table
    from rropt.survey.from_tables.regressing import regress as regress
    from rropt.survey.from_tables.two_sample_tables import two_sample_estimates as two_sample_estimates
    from rropt.survey.tables.device_columns import read_answers as read_answers
    from rropt.survey.tables.reading_options import Reading as Reading
    from rropt.survey.tables.table import Table as Table
    from rropt.survey.tables.table import read as read

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
