import Foundation
import TroveStorage

/// What plans cost: the formulas, in the units of ``CostModel``.
extension Planner {
    /// The cost of finding keys and reading their records.
    func reading(_ candidate: Candidate) -> Double {
        candidate.access.cost + candidate.rows * (costs.keySort + costs.fetch)
    }

    /// The plans that a candidate can be the beginning of, with the shares of objects that pass the conditions.
    func options(_ candidate: Candidate, _ shares: [Double]) -> [Plan] {
        let left = residual(candidate.answered)
        let share = selectivity(of: candidate.answered, shares)
        var plans = [gathered(candidate, left, share)]
        if let order = candidate.order { plans.append(ordered(candidate, order, left, share)) }
        return plans
    }

    /// The plan of a candidate that is not compared with others.
    func finished(_ candidate: Candidate, total: Double) -> Plan {
        gathered(candidate, residual(candidate.answered), 1)
    }

    /// A scan of all records, or of the range of a candidate.
    ///
    /// - Parameter bound: the share of the records that pass at the most, as indexes tell.
    func scanPlan(_ candidate: Candidate?, total: Double, bound: Double = 1) -> Plan {
        let left = residual(candidate?.answered ?? ConditionSet())
        let access = candidate?.access ?? Access(.records(.all), estimatedRows: total, cost: 0)
        let share = CostModel.selectivity(left)
        if sort.isEmpty {
            let walked = min(total, reach(min(share, bound)))
            return Plan(access, .key(idOrder), residual: left, estimatedRows: total * share, cost: costs.start + walked * costs.record)
        }
        let cost = costs.start + total * costs.record + sorting(total * share)
        return Plan(access, .sort, residual: left, estimatedRows: total * share, cost: cost)
    }

    /// All keys are found first; the records are read in the order of the keys.
    func gathered(_ candidate: Candidate, _ left: Filter, _ share: Double) -> Plan {
        let rows = candidate.rows
        var cost = candidate.access.cost + rows * costs.keySort
        guard !sort.isEmpty else {
            if needsRecords(candidate.access, left) { cost += min(rows, reach(share)) * costs.fetch }
            return Plan(candidate.access, .key(idOrder), residual: left, estimatedRows: rows * share, cost: cost)
        }
        cost += rows * costs.fetch + sorting(rows * share)
        return Plan(candidate.access, .sort, residual: left, estimatedRows: rows * share, cost: cost)
    }

    /// The entries of an index are read in their order, as many as are wanted.
    func ordered(_ candidate: Candidate, _ order: IndexOrder, _ left: Filter, _ share: Double) -> Plan {
        var walked = min(candidate.rows, reach(share))
        // What is not in order within equal parts is read a group at a time, and its records twice.
        if !order.isComplete { walked = min(candidate.rows, walked * 2 + 64) }
        // Nor is what long ids leave to be put into order; all of one value when that order is all there is.
        var met = walked
        if !order.hasShortKeys { met = order.criteria.isEmpty ? candidate.rows : min(candidate.rows, walked * 2 + 64) }
        var cost = costs.start + met * costs.entry
        if needsRecords(candidate.access, left) || !order.isComplete { cost += walked * costs.fetch }
        if !order.isComplete { cost += walked * costs.fetch + sorting(walked) }
        return Plan(
            candidate.access, .index(order.order), residual: left, estimatedRows: candidate.rows * share, cost: cost, order: order)
    }

    /// How many rows are met until the window is full, when a share of them passes.
    private func reach(_ share: Double) -> Double {
        guard let reach = ResultWindow(query).reach else { return .infinity }
        return Double(reach) / max(share, 1e-6)
    }

    private func sorting(_ count: Double) -> Double {
        if let reach = ResultWindow(query).reach, reach <= ResultWindow.maxTop {
            return count * costs.top + min(count, Double(reach)) * costs.fetch
        }
        return count * log2(max(2, count)) * costs.sort
    }

    /// The share of objects that pass each condition: as the first candidate tells that finds those alone, or else a guess.
    func shares(_ candidates: [Candidate], total: Double) -> [Double] {
        var shares = conditions.map(CostModel.selectivity)
        for candidate in candidates.reversed() where candidate.access.findsKeys {
            if let number = candidate.answered.only { shares[number] = min(1, candidate.rows / max(1, total)) }
        }
        return shares
    }

    /// The share of objects that pass the conditions but those that are made sure of.
    private func selectivity(of answered: ConditionSet, _ shares: [Double]) -> Double {
        conditions.indices.reduce(1) { answered.contains($1) ? $0 : $0 * shares[$1] }
    }
}

/// What the steps of a plan cost, in microseconds.
///
/// The figures are near to what LMDB needs for records of 100 bytes (`docs/planner.md`). Only their ratios choose a plan, and these are
/// alike on all engines in one process; across a network, round trips and bytes count, which nothing here has measured yet.
struct CostModel: Sendable {
    /// An entry of an index met in a scan.
    let entry: Double
    /// A record met in a scan, filter included.
    let record: Double
    /// A record read by its key, filter included.
    let fetch: Double
    /// A key put into key order.
    let keySort = 0.05
    /// A result sorted by its values, for each doubling of their number.
    let sort = 0.04
    /// A result compared with the first few so far.
    let top = 0.12
    /// Beginning a scan or a batch.
    let start: Double

    init(_ capabilities: StorageCapabilities) {
        if capabilities.isRemote {
            (entry, record, fetch, start) = (0.5, 1.5, 3, 500)
        } else {
            (entry, record, fetch, start) = (0.08, 0.15, 0.9, 2)
        }
    }

    /// The share of objects that pass a condition of which nothing is known.
    static func selectivity(_ filter: Filter) -> Double {
        switch filter {
        case .comparison(_, .equal, _, _), .isNil: 0.05
        case .comparison(_, .notEqual, _, _): 0.9
        case .comparison: 0.33
        case .membership(_, let values, _): min(0.5, 0.05 * Double(values.count))
        case .text, .matches, .fullText, .isWithin: 0.1
        case .isMultiple(_, let factor): factor == 0 ? 0.05 : 1 / Double(factor.magnitude)
        case .quantified: 0.25
        case .isUnreferenced, .hasDanglingReferences: 0.1
        case .not(let inner): 1 - selectivity(inner.value)
        case .and(let filters): filters.reduce(1) { $0 * selectivity($1) }
        case .or(let filters): min(1, filters.reduce(0) { $0 + selectivity($1) })
        case .constant(let value): value ? 1 : 0
        }
    }
}
