/// A filter worked out against a model: paths are places in the record, literals bytes in the field's form.
///
/// It runs on the record's bytes, and on the common conditions without allocating memory.
final class CompiledFilter: Sendable {
    private let program: FilterProgram

    /// - Parameter transaction: the one that it runs in, for conditions on what other objects point at.
    /// - Throws: ``TroveError/unknownField(model:field:)``, ``TroveError/unknownPath(model:path:reason:)``;
    ///   ``TroveError/incomparable(model:path:reason:)`` for a comparison of values that do not compare;
    ///   ``TroveError/invalidRegularExpression(pattern:reason:)``.
    init(_ filter: Filter, in binding: ModelBinding, asking transaction: ReadTransaction? = nil) throws {
        program = FilterProgram(try FilterCompiler(binding: binding, transaction: transaction).tree(filter))
    }

    /// Whether the record passes.
    @inline(__always)
    func matches(_ record: RecordView) throws -> Bool {
        try program.matches(record)
    }
}
