import Synchronization
import TroveStorage

/// Decides which calls fail; shared by the backends that ask it.
public final class FaultInjector: Sendable {
    private struct State {
        var plan: FaultPlan?
        var generator = SeededGenerator(seed: 0)
        var calls = 0
        var faults = 0
    }

    private let state = Mutex(State())

    /// An injector that lets every call pass until it is armed.
    public init() {}

    /// Begins to count calls, and makes them fail as planned.
    public func arm(_ plan: FaultPlan) {
        state.withLock { state in
            state = State(plan: plan)
            if case .oneIn(_, let seed) = plan.trigger { state.generator = SeededGenerator(seed: seed) }
        }
    }

    /// Lets every call pass from now on; the counts stay.
    public func disarm() { state.withLock { $0.plan = nil } }

    /// The calls of the plan's points since ``arm(_:)``.
    public var callCount: Int { state.withLock(\.calls) }

    /// The calls that failed since ``arm(_:)``.
    public var faultCount: Int { state.withLock(\.faults) }

    /// Whether a transaction recovers from a fault when the savepoint that it happened in is undone.
    var savepointsRecover: Bool { state.withLock { $0.plan?.savepointsRecover ?? true } }

    /// Counts a call.
    ///
    /// - Throws: the plan's error when the call is to fail.
    func pass(_ point: FaultPoint, _ backend: any StorageBackend) throws {
        let kind: FaultKind? = state.withLock { state in
            guard let plan = state.plan, plan.points.contains(point) else { return nil }
            state.calls += 1
            let fails =
                switch plan.trigger {
                case .nth(let number): state.calls == number
                case .oneIn(let number, _): state.generator.chance(1, in: number)
                }
            guard fails || plan.lasts && state.faults > 0 else { return nil }
            state.faults += 1
            return plan.kind
        }
        if let kind { throw kind.error(at: point, backend) }
    }
}
