extension Connection {
    /// Keeps the pages that the transaction changes in memory from now on, until as many calls of ``letPagesGo()``: while something runs that may be
    /// undone alone, as a savepoint or a statement.
    ///
    /// Outside of that they go to the log before the commit when the cache is full. Of a page that went there twice, SQLite notes that the checksums from its
    /// frame on are to be made anew, and does not forget it when the savepoint or the statement is undone: the frames that take the place of the undone ones
    /// are left without a checksum. Readers do not look at it; whoever recovers the log after a crash does, and ends there (`sqlite3WalSavepointUndo` of 3.40,
    /// which leaves `iReCksum` above `mxFrame`).
    func holdPages() throws {
        if pageHolds == 0 { try setSpills(false) }
        pageHolds += 1
    }

    /// Ends what ``holdPages()`` began.
    func letPagesGo() {
        pageHolds -= 1
        guard pageHolds == 0 else { return }
        // Where this fails, the connection keeps the pages of its transactions in memory until the next hold has ended.
        do { try setSpills(true) } catch {}
    }

    /// By the number of pages from which on they go to the log: SQLite heeds a change of ON to OFF between transactions only.
    private func setSpills(_ mayDoSo: Bool) throws { try execute("PRAGMA cache_spill = \(mayDoSo ? 1 : Int32.max)") }
}
