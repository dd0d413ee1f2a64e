import TroveStorage

/// The checks of a case.
extension SpecificationRun {
    /// Fails unless `condition` holds.
    func check(
        _ condition: Bool, _ expectation: String, found: @autoclosure () -> String = "the opposite",
        file: String = #fileID, line: Int = #line
    ) throws {
        if !condition { throw failure(expectation, found: found(), file: file, line: line) }
        pass(file, line)
    }

    /// Fails unless `found` equals `expected`; names the first difference of lists and of long values.
    func equal<Value: Equatable>(
        _ found: Value, _ expected: Value, _ what: String, file: String = #fileID, line: Int = #line
    ) throws {
        if found == expected { return pass(file, line) }
        if let found = found as? [String: [Entry]], let expected = expected as? [String: [Entry]] {
            let difference = StorageAnswer.contents(expected).difference(to: .contents(found))
            throw failure("\(what) to be as before or as written", found: "a difference: \(difference)", file: file, line: line)
        }
        let difference = Difference(of: found, from: expected)
        throw failure("\(what) to be \(difference.expected)", found: difference.found, file: file, line: line)
    }

    /// Fails unless `body` throws the given error, named by its case: `run.fails(with: StorageError.emptyKey, …)`.
    func fails<Result>(
        with error: @escaping (StorageError.Details) -> StorageError, _ what: String,
        file: String = #fileID, line: Int = #line, _ body: () throws -> Result
    ) throws {
        try fails(withAny: [error], what, file: file, line: line, body)
    }

    /// Fails unless `body` throws one of the given errors with an engine, a path and a message in it.
    func fails<Result>(
        withAny errors: [(StorageError.Details) -> StorageError], _ what: String,
        file: String = #fileID, line: Int = #line, _ body: () throws -> Result
    ) throws {
        let sample = StorageError.Details(engine: "", path: "", message: "")
        let names = errors.map { $0(sample).name }.joined(separator: " or ")
        do {
            let result = try body()
            throw failure(
                "\(what) to throw \(names)", found: Result.self == Void.self ? "no error" : "no error, but \(Difference.text(result))", file: file, line: line)
        } catch let error as StorageError {
            guard errors.contains(where: { $0(error.details) == error }) else {
                throw failure("\(what) to throw \(names)", found: "\(error)", file: file, line: line)
            }
            let details = error.details
            guard !details.engine.isEmpty, !details.path.isEmpty, !details.message.isEmpty else {
                throw failure(
                    "the error of \(what) to name the engine, the path and what happened", found: "\(details)",
                    file: file, line: line)
            }
            pass(file, line)
        }
    }

    /// Fails unless `body` throws the error that the case throws on purpose, unchanged.
    func failsOnPurpose<Result>(
        _ what: String, number: Int = 0, file: String = #fileID, line: Int = #line, _ body: () throws -> Result
    ) throws {
        do {
            let result = try body()
            throw failure(
                "\(what) to throw the body's error", found: Result.self == Void.self ? "no error" : "no error, but \(Difference.text(result))", file: file,
                line: line)
        } catch let error as Deliberate {
            try equal(error, Deliberate(number: number), "the error of \(what)", file: file, line: line)
        }
    }

    func failure(
        _ expectation: String, found: String, file: String = #fileID, line: Int = #line
    ) -> SpecificationFailure {
        SpecificationFailure(
            caseName: specification.name, engine: factory.name, expectation: expectation, found: found,
            file: file, line: line)
    }

    /// What a case threw, as a failure of the specification. An error does not know the line that threw it: the failure names the beginning of the
    /// case, and the last check before.
    func failure(describing error: any Error) -> SpecificationFailure {
        if let failure = error as? SpecificationFailure { return failure }
        var failure = failure("no error", found: "\(error), \(whereabouts)", file: specification.file, line: specification.line)
        failure.isTimeOut = error is Signal.NeverRaised
        return failure
    }
}
