extension ReadTransaction {
    /// Adds to the report what points at nothing.
    func verifyReferences(_ report: inout VerificationReport) throws {
        for relationship in try relationshipsAndMemberships {
            var count = 0
            do {
                try forEachDanglingReference(of: relationship) { reference in
                    count += 1
                    if count <= VerificationReport.maxDanglingReferences { report.danglingReferences.append(reference) }
                    return .next
                }
            } catch is TroveError {
                // A record or an entry that cannot be read is in the report already.
            }
            report.danglingReferenceCount += count
        }
    }
}
