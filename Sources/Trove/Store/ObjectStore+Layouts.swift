extension ObjectStore {
    /// The record layouts of all models, also of those that the program does not have.
    public func layouts() throws -> [StoredLayout] { try read { try $0.layouts() } }

    /// The record layouts of all models, also of those that the program does not have.
    public func layouts() async throws -> [StoredLayout] { try await read { try $0.layouts() } }
}
