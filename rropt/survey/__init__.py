"""Survey: estimates, intervals, sample sizes and comparisons of devices from mechanisms and responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.mechanisms.joint import JointMechanism as JointMechanism
    from rropt.mechanisms.joint import View as View
    from rropt.survey.comparisons.budget_table import ComparedDesign as ComparedDesign
    from rropt.survey.comparisons.combined_responses import DesignPrecision as DesignPrecision
    from rropt.survey.comparisons.combined_responses import PrecisionComparison as PrecisionComparison
    from rropt.survey.comparisons.combined_responses import compare_precision as compare_precision
    from rropt.survey.comparisons.direct_questions import DirectComparison as DirectComparison
    from rropt.survey.comparisons.direct_questions import compare_with_direct as compare_with_direct
    from rropt.survey.comparisons.equal_privacy import DesignComparison as DesignComparison
    from rropt.survey.comparisons.equal_privacy import compare_designs as compare_designs
    from rropt.survey.comparisons.equal_privacy import two_point_bound as two_point_bound
    from rropt.survey.declarations.guesses import Declared as Declared
    from rropt.survey.declarations.guesses import guess_survey as guess_survey
    from rropt.survey.declarations.survey_declaration import Question as Question
    from rropt.survey.declarations.survey_declaration import Survey as Survey
    from rropt.survey.devices.dealing import deal as deal
    from rropt.survey.devices.decks import DealtDeck as DealtDeck
    from rropt.survey.devices.independent import DrawnAnswers as DrawnAnswers
    from rropt.survey.devices.threat_models import RespondentPrivacy as RespondentPrivacy
    from rropt.survey.devices.threat_models import respondent_privacy as respondent_privacy
    from rropt.survey.estimates.confidence_intervals import Interval as Interval
    from rropt.survey.estimates.confidence_intervals import confidence_interval as confidence_interval
    from rropt.survey.estimates.confidence_intervals import confidence_intervals as confidence_intervals
    from rropt.survey.estimates.confidence_intervals import coverage as coverage
    from rropt.survey.estimates.estimate import Estimate as Estimate
    from rropt.survey.estimates.estimate import estimate as estimate
    from rropt.survey.estimates.estimate import exact_contrast as exact_contrast
    from rropt.survey.estimates.estimate import unit as unit
    from rropt.survey.estimates.interval_kinds import INTERVAL_KINDS as INTERVAL_KINDS
    from rropt.survey.estimates.likelihood import likelihood_gap as likelihood_gap
    from rropt.survey.estimates.likelihood import most_likely_population as most_likely_population
    from rropt.survey.estimates.precision import covariance_at as covariance_at
    from rropt.survey.estimates.precision import variance_at as variance_at
    from rropt.survey.estimates.survey_estimates import SurveyEstimate as SurveyEstimate
    from rropt.survey.estimates.survey_estimates import survey_estimate as survey_estimate
    from rropt.survey.noncompliance.behaviours import Behaviour as Behaviour
    from rropt.survey.noncompliance.behaviours import Population as Population
    from rropt.survey.noncompliance.behaviours import Sample as Sample
    from rropt.survey.noncompliance.behaviours import behaviours as behaviours
    from rropt.survey.noncompliance.bounds import NonCompliers as NonCompliers
    from rropt.survey.noncompliance.bounds import PrevalenceBounds as PrevalenceBounds
    from rropt.survey.noncompliance.bounds import SharpInterval as SharpInterval
    from rropt.survey.noncompliance.bounds import prevalence_bounds as prevalence_bounds
    from rropt.survey.noncompliance.breakdown import Breakdown as Breakdown
    from rropt.survey.noncompliance.breakdown import Conclusion as Conclusion
    from rropt.survey.noncompliance.breakdown import Reconciliation as Reconciliation
    from rropt.survey.noncompliance.breakdown import breakdown_by_size as breakdown_by_size
    from rropt.survey.noncompliance.breakdown import breakdown_point as breakdown_point
    from rropt.survey.noncompliance.breakdown import least_noncompliers as least_noncompliers
    from rropt.survey.noncompliance.findings import Findings as Findings
    from rropt.survey.noncompliance.findings import noncompliance_findings as noncompliance_findings
    from rropt.survey.noncompliance.identified import TypeShares as TypeShares
    from rropt.survey.noncompliance.identified import identified_shares as identified_shares
    from rropt.survey.noncompliance.population_program import Attained as Attained
    from rropt.survey.noncompliance.two_samples import TwoSampleEstimates as TwoSampleEstimates
    from rropt.survey.noncompliance.two_samples import two_sample_estimates as two_sample_estimates
    from rropt.survey.noncompliance.widths import WidthDesign as WidthDesign
    from rropt.survey.noncompliance.widths import design_noncompliance as design_noncompliance
    from rropt.survey.plans.finite_plans import SurveyPlan as SurveyPlan
    from rropt.survey.plans.finite_plans import plan_deck as plan_deck
    from rropt.survey.plans.finite_plans import plan_survey as plan_survey
    from rropt.survey.plans.goals import MechanismPlan as MechanismPlan
    from rropt.survey.plans.goals import plan_answers as plan_answers
    from rropt.survey.plans.marginals import AffordableOrder as AffordableOrder
    from rropt.survey.plans.marginals import affordable_order as affordable_order
    from rropt.survey.plans.marginals import marginal_variance as marginal_variance
    from rropt.survey.plans.plan import Achieved as Achieved
    from rropt.survey.plans.plan import ExpectedPrecision as ExpectedPrecision
    from rropt.survey.plans.plan import Plan as Plan
    from rropt.survey.plans.plan import expected_precision as expected_precision
    from rropt.survey.populations.finite import FiniteEstimate as FiniteEstimate
    from rropt.survey.populations.finite import SurveyVariance as SurveyVariance
    from rropt.survey.populations.finite import estimate_finite as estimate_finite
    from rropt.survey.populations.finite import survey_variance as survey_variance
    from rropt.survey.questions.contingency_tables import TableEstimate as TableEstimate
    from rropt.survey.questions.contingency_tables import cell_variances as cell_variances
    from rropt.survey.questions.contingency_tables import estimate_cells as estimate_cells
    from rropt.survey.questions.contingency_tables import estimate_marginals as estimate_marginals
    from rropt.survey.questions.joint_likelihood import JointEstimate as JointEstimate
    from rropt.survey.questions.joint_likelihood import estimate_joint as estimate_joint
    from rropt.survey.questions.responses import Answers as Answers
    from rropt.survey.questions.responses import answers_of_counts as answers_of_counts
    from rropt.survey.questions.responses import answers_of_rows as answers_of_rows
    from rropt.survey.questions.several_questions import QuestionsEstimate as QuestionsEstimate
    from rropt.survey.questions.several_questions import estimate_questions as estimate_questions
    from rropt.survey.questions.simultaneous import PairEstimates as PairEstimates
    from rropt.survey.questions.simultaneous import SimultaneousIntervals as SimultaneousIntervals
    from rropt.survey.questions.simultaneous import estimate_pairs as estimate_pairs
    from rropt.survey.questions.simultaneous import simultaneous_intervals as simultaneous_intervals
    from rropt.survey.questions.utility import Utility as Utility
    from rropt.survey.questions.utility import utility as utility
    from rropt.survey.regression.regressing import regress as regress
    from rropt.survey.table_estimates.estimating import estimate_table as estimate_table
    from rropt.survey.table_estimates.group_estimates import GroupEstimates as GroupEstimates
    from rropt.survey.table_estimates.weighted_estimates import WeightedEstimates as WeightedEstimates
    from rropt.survey.tables.counting import TableReading as TableReading
    from rropt.survey.tables.device_columns import read_answers as read_answers

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
