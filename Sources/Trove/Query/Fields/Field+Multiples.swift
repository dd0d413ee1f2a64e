// As Swift's `isMultiple(of:)`: of 0 only 0 is a multiple.

extension Field where Value: BinaryInteger {
    /// Whether the number is a multiple of another: `$0.year.isMultiple(of: 4)`.
    ///
    /// No index tells it, so it is asked of each record that other conditions leave.
    public func isMultiple(of factor: Value) -> Condition { multiple(of: factor) }
}

extension Field {
    /// Whether there is a number and it is a multiple of another.
    public func isMultiple<Number: BinaryInteger>(of factor: Number) -> Condition where Value == Number? { multiple(of: factor) }

    private func multiple(of factor: some BinaryInteger) -> Condition {
        condition { (operand) throws(TroveError) in
            guard let factor = Int128(exactly: factor) else { throw TroveError.invalidQuery(reason: "the multiples of \(factor) are sought, which is more than 128 bits with a sign hold") }
            return .isMultiple(path, of: factor)
        }
    }
}
