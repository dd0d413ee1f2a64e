/// Chooses how a query is answered.
struct Planner {
    let transaction: ReadTransaction
    let model: OpenModel
    let query: Query

    init(_ transaction: ReadTransaction, _ model: OpenModel, _ query: Query) {
        self.transaction = transaction
        self.model = model
        self.query = query
    }

    func plan() throws -> Plan {
        let filter = query.filter.normalized
        if filter == .constant(false) || query.limit == 0 {
            return Plan(Access(.nothing, estimatedRows: 0, cost: 0), .key(.ascending), residual: .constant(true), estimatedRows: 0)
        }
        let access = Access(.records(.all), estimatedRows: 0, cost: 0)
        return Plan(access, query.sort.isEmpty ? .key(.ascending) : .sort, residual: filter, estimatedRows: 0)
    }
}
