/// A filter worked out against a model: paths are places in the record, literals bytes in the field's form.
///
/// It runs on the record's bytes, and on the common conditions without allocating memory.
final class CompiledFilter: Sendable {
    private let program: FilterProgram

    /// - Throws: ``TroveError/unknownField(model:field:)``, ``TroveError/unknownPath(model:path:reason:)``;
    ///   ``TroveError/incomparable(model:path:reason:)`` for a comparison of values that do not compare;
    ///   ``TroveError/invalidRegularExpression(pattern:reason:)``.
    init(_ filter: Filter, in binding: ModelBinding) throws {
        program = FilterProgram(try FilterCompiler(binding: binding).tree(filter))
    }

    /// Whether the record passes.
    @inline(__always)
    func matches(_ record: RecordView) throws -> Bool {
        try program.matches(record)
    }
}
