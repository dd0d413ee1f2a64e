extension ObjectStore {
    /// How the records of all models are laid out, those that the program does not have included.
    public func layouts() throws -> [StoredLayout] { try read { try $0.layouts() } }

    /// How the records of all models are laid out, those that the program does not have included.
    public func layouts() async throws -> [StoredLayout] { try await read { try $0.layouts() } }
}
