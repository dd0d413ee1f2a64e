import TroveStorage

extension BackendSpecification {
    /// What the capabilities say of other processes, with the help of ``BackendFactory/fillInAnotherProcess``.
    static let sharing: [SpecificationCase] = [
        SpecificationCase("sharing.second-process", "While the store is open here, though it was closed once of two times, a second process may use it, or is refused with locked, as the capabilities say.") { run in
            guard run.factory.isPersistent else { return }
            let fill = try otherProcess(of: run)
            let store = try run.open()
            try store.fill([Entry([1], [1])])
            // Another opening of it here that comes and goes takes nothing of the store from this one, nor the lock from the process.
            let second = try run.open()
            try second.fill([Entry([3], [3])])
            try second.close()
            let error = try fill(run.path(), "theirs", 50)
            switch store.capabilities.sharing {
            case .manyProcesses, .manyMachines:
                try run.equal(error, nil, "the error of the second process")
                try run.equal(try store.entries(named: "theirs")?.count, 50, "the number of entries the second process has written")
            case .oneProcess:
                try run.equal(error, StorageError.locked(.init(engine: "", path: "", message: "")).name, "the error of the second process")
                try run.equal(try store.entries(named: "theirs"), nil, "what a process that was refused has written")
            }
            try store.fill([Entry([2], [2])])
            try run.equal(try store.entries()?.count, 3, "the number of entries written here")
        },
        SpecificationCase("sharing.after-close", "After the store was closed here, another process can use it, and then this one again.") { run in
            guard run.factory.isPersistent else { return }
            let fill = try otherProcess(of: run)
            var store = try run.open()
            for round in 1...3 {
                try store.fill([Entry(.number(round), [1])])
                try store.close()
                try run.equal(try fill(run.path(), "theirs \(round)", 10 * round), nil, "the error of the other process in round \(round)")
                store = try run.open()
                try run.equal(try store.entries(named: "theirs \(round)")?.count, 10 * round, "what the other process has written in round \(round)")
                try run.equal(try store.entries()?.count, round, "what this process has written")
            }
        },
        SpecificationCase(
            "sharing.released-inside",
            "A backend that is released inside a transaction of another one on its store gives up its use: the close of that one lets others in."
        ) { run in
            guard run.factory.isPersistent else { return }
            let fill = try otherProcess(of: run)
            for isWrite in [false, true] {
                let name = isWrite ? "write" : "read"
                let first = try run.open(name)
                var second: (any StorageBackend)? = try run.factory.open(run.path(name))
                try second?.fill([Entry([1], [1])])
                if isWrite { try first.writing { _, _ in second = nil } } else { try first.reading { _, _ in second = nil } }
                try first.fill([Entry([2], [2])])
                try first.close()
                try run.equal(try fill(run.path(name), "theirs", 5), nil, "the error of the other process after a release in a \(name)")
                try run.equal(try run.open(name).entries()?.count, 2, "the number of entries written here")
            }
        },
    ]

    private static func otherProcess(of run: SpecificationRun) throws -> BackendFactory.FillInAnotherProcess {
        guard let fill = run.factory.fillInAnotherProcess else {
            throw run.failure("the factory to give fillInAnotherProcess", found: "nil")
        }
        return fill
    }
}
