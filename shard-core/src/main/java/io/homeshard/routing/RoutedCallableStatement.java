package io.homeshard.routing;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;

/** A call whose every execution is seen by its {@link RoutedConnection}. */
final class RoutedCallableStatement extends DelegatingCallableStatement {
    private final CallableStatement delegate;

    RoutedCallableStatement(RoutedConnection connection, CallableStatement delegate, String sql) {
        super(connection, delegate, sql);
        this.delegate = delegate;
    }

    @Override
    public void registerOutParameter(int index, int type) throws SQLException {
        delegate.registerOutParameter(index, type);
    }

    @Override
    public void registerOutParameter(int index, int type, int scale) throws SQLException {
        delegate.registerOutParameter(index, type, scale);
    }

    @Override
    public void registerOutParameter(int index, int type, String typeName) throws SQLException {
        delegate.registerOutParameter(index, type, typeName);
    }

    @Override
    public void registerOutParameter(String parameter, int type) throws SQLException {
        delegate.registerOutParameter(parameter, type);
    }

    @Override
    public void registerOutParameter(String parameter, int type, int scale) throws SQLException {
        delegate.registerOutParameter(parameter, type, scale);
    }

    @Override
    public void registerOutParameter(String parameter, int type, String typeName) throws SQLException {
        delegate.registerOutParameter(parameter, type, typeName);
    }

    @Override
    public void setURL(String parameter, URL value) throws SQLException {
        delegate.setURL(parameter, value);
    }

    @Override
    public void setNull(String parameter, int type) throws SQLException {
        delegate.setNull(parameter, type);
    }

    @Override
    public void setBoolean(String parameter, boolean value) throws SQLException {
        delegate.setBoolean(parameter, value);
    }

    @Override
    public void setByte(String parameter, byte value) throws SQLException {
        delegate.setByte(parameter, value);
    }

    @Override
    public void setShort(String parameter, short value) throws SQLException {
        delegate.setShort(parameter, value);
    }

    @Override
    public void setInt(String parameter, int value) throws SQLException {
        delegate.setInt(parameter, value);
    }

    @Override
    public void setLong(String parameter, long value) throws SQLException {
        delegate.setLong(parameter, value);
    }

    @Override
    public void setFloat(String parameter, float value) throws SQLException {
        delegate.setFloat(parameter, value);
    }

    @Override
    public void setDouble(String parameter, double value) throws SQLException {
        delegate.setDouble(parameter, value);
    }

    @Override
    public void setBigDecimal(String parameter, BigDecimal value) throws SQLException {
        delegate.setBigDecimal(parameter, value);
    }

    @Override
    public void setString(String parameter, String value) throws SQLException {
        delegate.setString(parameter, value);
    }

    @Override
    public void setBytes(String parameter, byte[] value) throws SQLException {
        delegate.setBytes(parameter, value);
    }

    @Override
    public void setDate(String parameter, Date value) throws SQLException {
        delegate.setDate(parameter, value);
    }

    @Override
    public void setTime(String parameter, Time value) throws SQLException {
        delegate.setTime(parameter, value);
    }

    @Override
    public void setTimestamp(String parameter, Timestamp value) throws SQLException {
        delegate.setTimestamp(parameter, value);
    }

    @Override
    public void setAsciiStream(String parameter, InputStream value, int length) throws SQLException {
        delegate.setAsciiStream(parameter, value, length);
    }

    @Override
    public void setBinaryStream(String parameter, InputStream value, int length) throws SQLException {
        delegate.setBinaryStream(parameter, value, length);
    }

    @Override
    public void setObject(String parameter, Object value, int type, int scale) throws SQLException {
        delegate.setObject(parameter, value, type, scale);
    }

    @Override
    public void setObject(String parameter, Object value, int type) throws SQLException {
        delegate.setObject(parameter, value, type);
    }

    @Override
    public void setObject(String parameter, Object value) throws SQLException {
        delegate.setObject(parameter, value);
    }

    @Override
    public void setCharacterStream(String parameter, Reader value, int length) throws SQLException {
        delegate.setCharacterStream(parameter, value, length);
    }

    @Override
    public void setDate(String parameter, Date value, Calendar calendar) throws SQLException {
        delegate.setDate(parameter, value, calendar);
    }

    @Override
    public void setTime(String parameter, Time value, Calendar calendar) throws SQLException {
        delegate.setTime(parameter, value, calendar);
    }

    @Override
    public void setTimestamp(String parameter, Timestamp value, Calendar calendar) throws SQLException {
        delegate.setTimestamp(parameter, value, calendar);
    }

    @Override
    public void setNull(String parameter, int type, String typeName) throws SQLException {
        delegate.setNull(parameter, type, typeName);
    }

    @Override
    public void setRowId(String parameter, RowId value) throws SQLException {
        delegate.setRowId(parameter, value);
    }

    @Override
    public void setNString(String parameter, String value) throws SQLException {
        delegate.setNString(parameter, value);
    }

    @Override
    public void setNCharacterStream(String parameter, Reader value, long length) throws SQLException {
        delegate.setNCharacterStream(parameter, value, length);
    }

    @Override
    public void setNClob(String parameter, NClob value) throws SQLException {
        delegate.setNClob(parameter, value);
    }

    @Override
    public void setClob(String parameter, Reader value, long length) throws SQLException {
        delegate.setClob(parameter, value, length);
    }

    @Override
    public void setBlob(String parameter, InputStream value, long length) throws SQLException {
        delegate.setBlob(parameter, value, length);
    }

    @Override
    public void setNClob(String parameter, Reader value, long length) throws SQLException {
        delegate.setNClob(parameter, value, length);
    }

    @Override
    public void setSQLXML(String parameter, SQLXML value) throws SQLException {
        delegate.setSQLXML(parameter, value);
    }

    @Override
    public void setBlob(String parameter, Blob value) throws SQLException {
        delegate.setBlob(parameter, value);
    }

    @Override
    public void setClob(String parameter, Clob value) throws SQLException {
        delegate.setClob(parameter, value);
    }

    @Override
    public void setAsciiStream(String parameter, InputStream value, long length) throws SQLException {
        delegate.setAsciiStream(parameter, value, length);
    }

    @Override
    public void setBinaryStream(String parameter, InputStream value, long length) throws SQLException {
        delegate.setBinaryStream(parameter, value, length);
    }

    @Override
    public void setCharacterStream(String parameter, Reader value, long length) throws SQLException {
        delegate.setCharacterStream(parameter, value, length);
    }

    @Override
    public void setAsciiStream(String parameter, InputStream value) throws SQLException {
        delegate.setAsciiStream(parameter, value);
    }

    @Override
    public void setBinaryStream(String parameter, InputStream value) throws SQLException {
        delegate.setBinaryStream(parameter, value);
    }

    @Override
    public void setCharacterStream(String parameter, Reader value) throws SQLException {
        delegate.setCharacterStream(parameter, value);
    }

    @Override
    public void setNCharacterStream(String parameter, Reader value) throws SQLException {
        delegate.setNCharacterStream(parameter, value);
    }

    @Override
    public void setClob(String parameter, Reader value) throws SQLException {
        delegate.setClob(parameter, value);
    }

    @Override
    public void setBlob(String parameter, InputStream value) throws SQLException {
        delegate.setBlob(parameter, value);
    }

    @Override
    public void setNClob(String parameter, Reader value) throws SQLException {
        delegate.setNClob(parameter, value);
    }

    @Override
    public void setObject(String parameter, Object value, SQLType type, int scale) throws SQLException {
        delegate.setObject(parameter, value, type, scale);
    }

    @Override
    public void setObject(String parameter, Object value, SQLType type) throws SQLException {
        delegate.setObject(parameter, value, type);
    }

    @Override
    public void registerOutParameter(int index, SQLType type) throws SQLException {
        delegate.registerOutParameter(index, type);
    }

    @Override
    public void registerOutParameter(int index, SQLType type, int scale) throws SQLException {
        delegate.registerOutParameter(index, type, scale);
    }

    @Override
    public void registerOutParameter(int index, SQLType type, String typeName) throws SQLException {
        delegate.registerOutParameter(index, type, typeName);
    }

    @Override
    public void registerOutParameter(String parameter, SQLType type) throws SQLException {
        delegate.registerOutParameter(parameter, type);
    }

    @Override
    public void registerOutParameter(String parameter, SQLType type, int scale) throws SQLException {
        delegate.registerOutParameter(parameter, type, scale);
    }

    @Override
    public void registerOutParameter(String parameter, SQLType type, String typeName) throws SQLException {
        delegate.registerOutParameter(parameter, type, typeName);
    }
}
