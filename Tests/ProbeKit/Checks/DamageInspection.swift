import TestSupport
import Trove

/// What happens with a store that may be damaged: when it is opened, read, changed and opened again.
enum DamageInspection {
    static func run(_ engine: Engine, _ path: String) -> ProbeReply {
        let store: OpenStore
        do {
            store = try OpenStore(engine, path)
        } catch {
            return ProbeReply(fault: ProbeFault(error))
        }
        let checks = SampleCheck.original.run(on: store)
        guard checks.allSatisfy(\.isRight) else { return ProbeReply(checks: checks + [close(store)]) }
        return ProbeReply(checks: checks + change(store, engine, path))
    }

    /// Changes a store whose contents are right, which meets damage in free space, and reads it again, also after reopening.
    private static func change(_ store: OpenStore, _ engine: Engine, _ path: String) -> [ProbeCheck] {
        var expected = SampleCheck.original
        let change = ProbeCheck("change") {
            expected = try expected.changed(store.objects)
        }
        var checks = [change] + expected.run(on: store) + [close(store)]
        var reopened: OpenStore?
        checks.append(ProbeCheck("open again") {
            reopened = try OpenStore(engine, path)
        })
        if let reopened { checks += expected.run(on: reopened) + [close(reopened)] }
        return checks
    }

    private static func close(_ store: OpenStore) -> ProbeCheck {
        ProbeCheck("close") {
            try store.objects.close()
        }
    }
}
